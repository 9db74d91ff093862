-- A creative that is proposed while the approved one stays on air. One open revision an ad.

create table revisions (
  ad_id text primary key references ads (id) on delete cascade,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 2 and 80),
  website_url text not null,
  meta jsonb not null default '{}' check (jsonb_typeof(meta) = 'object'),
  -- What the publisher asked to be changed, until the next submission.
  note text,
  submitted_at timestamptz not null default now()
);
create index revisions_list on revisions (workspace_id, submitted_at desc, ad_id desc);

-- Somebody asked to join. The token travels in the mail; here is only its hash.

create table invitations (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  email text not null check (email = lower(email)),
  role member_role not null,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  invited_by text references people (id) on delete set null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, email)
);

-- Who did what. Written in the transaction of the change, never changed.

create table audit_log (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  actor_kind text not null check (actor_kind in ('person', 'key', 'advertiser', 'processor')),
  -- No foreign key: the entry outlives a key that is revoked and a person who leaves.
  actor_id text,
  actor_name text not null,
  action text not null,
  resource_kind text not null,
  resource_id text not null,
  -- Only what changed; null where nothing was before, or is left after.
  before jsonb,
  after jsonb,
  occurred_at timestamptz not null default now()
);
create index audit_log_list on audit_log (workspace_id, id desc);

-- Answers to requests that carried an Idempotency-Key, for a day.

create table idempotency_keys (
  -- Who called: keys of different callers never meet.
  caller text not null,
  key text not null,
  -- Of method, path and body.
  request_hash bytea not null check (octet_length(request_hash) = 32),
  -- Null while the first request is under way.
  status integer,
  body text,
  created_at timestamptz not null default now(),
  primary key (caller, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- For look-ups of an advertiser by name or e-mail and for lists, newest first.
create index advertisers_list on advertisers (workspace_id, created_at desc, id desc);
