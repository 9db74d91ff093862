-- What became of letters that were not sent one by one.

-- The letters to a publisher beyond those that are sent one by one, until their digest is queued.
create table digest_lines (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  kind text not null,
  line text not null,
  created_at timestamptz not null default now()
);
create index digest_lines_workspace on digest_lines (workspace_id, kind);

-- Letters for a workspace that nobody received.
create table dropped_mails (
  id bigint generated always as identity primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  recipient text not null check (recipient in ('publisher', 'advertiser')),
  kind text not null,
  reason text not null check (reason in ('limit', 'refused', 'unsent')),
  dropped_at timestamptz not null default now()
);
create index dropped_mails_workspace on dropped_mails (workspace_id, dropped_at);
