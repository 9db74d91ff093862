-- People: better-auth's four models under our names (the mapping is in services/management/people).

create table people (
  id text primary key,
  name text not null,
  email text not null unique,
  email_verified boolean not null default false,
  image text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table sessions (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  token text not null unique,
  expires_at timestamptz not null,
  ip_address text,
  user_agent text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index sessions_person on sessions (person_id);

create table credentials (
  id text primary key,
  person_id text not null references people (id) on delete cascade,
  provider_id text not null,
  account_id text not null,
  password text,
  access_token text,
  refresh_token text,
  id_token text,
  access_token_expires_at timestamptz,
  refresh_token_expires_at timestamptz,
  scope text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (provider_id, account_id)
);
create index credentials_person on credentials (person_id);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index verifications_identifier on verifications (identifier);

-- Workspaces and who may act in them.

create table workspaces (
  id text primary key,
  name text not null check (char_length(name) between 2 and 80),
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 60),
  website_url text,
  favicon_url text,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- Grows with every change that serving can see; snapshots carry it.
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create type member_role as enum ('Owner', 'Manager', 'Viewer');

create table members (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  person_id text not null references people (id) on delete cascade,
  role member_role not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, person_id),
  unique (workspace_id, id)
);
create index members_person on members (person_id);

create table api_keys (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  -- A key dies with its maker's membership.
  member_id text not null,
  name text not null check (char_length(name) between 1 and 80),
  prefix text not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade
);
create index api_keys_workspace on api_keys (workspace_id, id);
create index api_keys_member on api_keys (member_id);

-- What is for sale.

create table tiers (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null check (char_length(name) between 2 and 80),
  description text not null default '',
  weight double precision not null check (weight > 0 and weight < 'Infinity'),
  "order" bigint not null check ("order" >= 0),
  is_active boolean not null default true,
  features jsonb not null default '[]' check (jsonb_typeof(features) = 'array'),
  -- The processor's product, made when the tier is first sold.
  provider_product_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, id)
);
create index tiers_list on tiers (workspace_id, "order", id);

create type billing_interval as enum ('Day', 'Week', 'Month', 'Year');

create table prices (
  id text primary key,
  workspace_id text not null,
  tier_id text not null,
  interval billing_interval not null,
  interval_count integer not null check (interval_count >= 1),
  amount bigint not null check (amount between 0 and 9007199254740991),
  currency text not null check (currency ~ '^[a-z]{3}$'),
  is_active boolean not null default true,
  -- The processor's price, made when it is first sold.
  provider_price_id text,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, tier_id) references tiers (workspace_id, id) on delete cascade,
  unique (workspace_id, id)
);
create index prices_tier on prices (tier_id, id);
-- One active price a shape: two would leave it to chance what an advertiser pays.
create unique index prices_active_shape on prices (tier_id, interval, interval_count, currency) where is_active;

create type field_type as enum (
  'Text', 'Textarea', 'Url', 'Email', 'Number', 'Switch', 'Select', 'Image', 'Date', 'Color'
);

create table fields (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  key text not null check (key ~ '^[a-z][a-z0-9_]{0,39}$'),
  name text not null check (char_length(name) between 1 and 80),
  type field_type not null,
  description text not null default '',
  "default" text not null default '',
  placeholder text not null default '',
  is_required boolean not null default false,
  is_publisher_only boolean not null default false,
  "order" bigint not null check ("order" >= 0),
  options jsonb not null default '[]' check (jsonb_typeof(options) = 'array'),
  max_length bigint check (max_length >= 1),
  min double precision,
  max double precision,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint fields_key unique (workspace_id, key),
  unique (workspace_id, id),
  check (min is null or max is null or min <= max)
);
create index fields_list on fields (workspace_id, "order", id);

-- Who buys, and what they run.

create table advertisers (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  name text not null,
  -- Lower case: one advertiser an address.
  email text check (email = lower(email)),
  provider_customer_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (workspace_id, email),
  unique (workspace_id, id)
);

create type subscription_status as enum (
  'Trialing', 'Active', 'PastDue', 'Canceled', 'Unpaid', 'Incomplete', 'IncompleteExpired', 'Paused'
);

create table subscriptions (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  advertiser_id text not null,
  tier_id text not null,
  price_id text not null,
  provider_subscription_id text not null unique,
  status subscription_status not null,
  cancel_at_period_end boolean not null default false,
  cancel_at timestamptz,
  canceled_at timestamptz,
  cancellation_reason text,
  cancellation_feedback text,
  cancellation_comment text,
  current_period_start timestamptz,
  current_period_end timestamptz,
  trial_end timestamptz,
  paid_amount bigint,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, advertiser_id) references advertisers (workspace_id, id),
  foreign key (workspace_id, tier_id) references tiers (workspace_id, id),
  foreign key (workspace_id, price_id) references prices (workspace_id, id),
  unique (workspace_id, id)
);
create index subscriptions_advertiser on subscriptions (workspace_id, advertiser_id);
create index subscriptions_tier on subscriptions (tier_id);
create index subscriptions_price on subscriptions (price_id);

create type ad_status as enum ('Pending', 'Approved', 'Rejected');

create table ads (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  subscription_id text not null unique,
  name text not null check (char_length(name) between 2 and 80),
  website_url text not null,
  favicon_url text,
  -- The creative: field id to value.
  meta jsonb not null default '{}' check (jsonb_typeof(meta) = 'object'),
  status ad_status not null default 'Pending',
  reviewed_at timestamptz,
  rejection_note text,
  -- The eligibility that holds now or held last. Serving and "was it eligible lately" read only these two.
  serving_since timestamptz,
  serving_until timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, subscription_id) references subscriptions (workspace_id, id)
);
create index ads_list on ads (workspace_id, created_at desc, id desc);
create index ads_list_by_status on ads (workspace_id, status, created_at desc, id desc);

-- Checkout sessions, by the processor's id, which is the advertiser's secret.
create type checkout_status as enum ('open', 'complete', 'expired');

create table checkout_sessions (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  price_id text not null,
  status checkout_status not null default 'open',
  subscription_id text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, price_id) references prices (workspace_id, id),
  foreign key (workspace_id, subscription_id) references subscriptions (workspace_id, id)
);
create index checkout_sessions_workspace on checkout_sessions (workspace_id);
create index checkout_sessions_price on checkout_sessions (price_id);
create index checkout_sessions_subscription on checkout_sessions (subscription_id);

-- The inbox of the processor's webhooks: an event is stored before it is answered and applied once.
create table webhook_events (
  id text primary key,
  type text not null,
  -- Which object to read; its state at that time counts, not the one the event carried.
  subject jsonb not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null default now(),
  applied_at timestamptz
);
create index webhook_events_waiting on webhook_events (received_at) where applied_at is null;
