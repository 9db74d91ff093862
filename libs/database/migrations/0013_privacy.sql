-- Since when a workspace is being deleted. Nobody is a member of it any more, and a job removes the rest.
alter table workspaces add column erasing_since timestamptz;
create index workspaces_erasing on workspaces (id) where erasing_since is not null;

-- An advertiser whose name and e-mail address were removed. What the payment processor says later must not bring them back.
alter table advertisers add column erased_at timestamptz;

-- Workspaces that are gone, for as long as events of theirs may still arrive.
create table erased_workspaces (
  id        text primary key,
  erased_at timestamptz not null
);

-- What the law asks to keep of the money of a workspace that is gone: amounts and numbers, nobody's name or address.
create table retained_invoices (
  id                  text primary key,
  former_workspace_id text not null,
  provider_account    text,
  provider_invoice_id text not null,
  number              text,
  status              invoice_status not null,
  currency            text not null,
  total               bigint not null,
  amount_paid         bigint not null,
  amount_due          bigint not null,
  amount_refunded     bigint not null,
  disputed            boolean not null,
  issued_at           timestamptz not null,
  paid_at             timestamptz,
  period_start        timestamptz not null,
  period_end          timestamptz not null
);
create index retained_invoices_age on retained_invoices (issued_at);

-- What the daily sweep looks for.
create index audit_log_age on audit_log (occurred_at);
create index checkout_sessions_expired on checkout_sessions (updated_at) where status = 'expired';
