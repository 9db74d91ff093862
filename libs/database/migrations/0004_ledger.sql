-- The accounts that workspaces have of their own at the processor.

create table connected_accounts (
  workspace_id text primary key references workspaces (id) on delete cascade,
  -- The processor's id.
  account_id text not null unique,
  charges_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  details_submitted boolean not null default false,
  -- Grows whenever the processor's word is taken down: one that was read before the last growth is out of date.
  sync_version bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- The account that something was made in; null is the platform's own.
alter table tiers add column provider_account text;
alter table prices add column provider_account text;
alter table subscriptions add column provider_account text;
alter table checkout_sessions add column provider_account text;

-- The ledger: what advertisers were billed and what they got back, as the processor has it.

create type invoice_status as enum ('draft', 'open', 'paid', 'uncollectible', 'void');

create table invoices (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  advertiser_id text not null,
  subscription_id text not null,
  provider_invoice_id text not null unique,
  -- As printed on it; null for a draft.
  number text,
  status invoice_status not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  -- Negative where the customer gets something back.
  total bigint not null,
  amount_paid bigint not null,
  amount_due bigint not null,
  issued_at timestamptz not null,
  paid_at timestamptz,
  period_start timestamptz not null,
  period_end timestamptz not null,
  hosted_url text,
  pdf_url text,
  sync_version bigint not null default 0,
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, advertiser_id) references advertisers (workspace_id, id),
  foreign key (workspace_id, subscription_id) references subscriptions (workspace_id, id),
  unique (workspace_id, id)
);
create index invoices_list on invoices (workspace_id, issued_at desc, id desc);
create index invoices_list_by_status on invoices (workspace_id, status, issued_at desc, id desc);
create index invoices_list_by_advertiser on invoices (workspace_id, advertiser_id, issued_at desc, id desc);
create index invoices_list_by_subscription on invoices (workspace_id, subscription_id, issued_at desc, id desc);
create index invoices_paid on invoices (workspace_id, paid_at) where status = 'paid';

-- The charges of which something was refunded or disputed.
create table charges (
  provider_charge_id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  invoice_id text not null,
  amount_refunded bigint not null,
  disputed boolean not null,
  sync_version bigint not null default 0,
  updated_at timestamptz not null default now(),
  foreign key (workspace_id, invoice_id) references invoices (workspace_id, id) on delete cascade
);
create index charges_invoice on charges (workspace_id, invoice_id);

create table refunds (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  provider_refund_id text not null unique,
  provider_charge_id text not null references charges (provider_charge_id) on delete cascade,
  amount bigint not null,
  currency text not null check (currency ~ '^[a-z]{3}$'),
  reason text,
  refunded_at timestamptz not null
);
create index refunds_charge on refunds (provider_charge_id);
create index refunds_by_time on refunds (workspace_id, refunded_at);

-- The accounts whose invoices have all been read once; '' is the platform's own.
create table ledger_fills (
  account text primary key,
  filled_at timestamptz not null default now()
);
