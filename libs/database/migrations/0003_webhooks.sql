-- The processor's side of subscriptions, checkouts, tiers and prices, its inbox, and the comparing of both sides.

-- The connected account that an event happened in; null is the platform's own.
alter table webhook_events add column provider_account text;

-- Numbers looks at the processor in the order in which they begin.
create sequence sync_tickets;

alter table subscriptions
  -- The ticket of the look that was taken down last: of one that began meanwhile nobody knows which saw more.
  add column sync_version bigint not null default 0,
  -- Who is asking the processor for a change right now, and until when that is believed.
  add column claim text,
  add column claimed_until timestamptz,
  add check ((claim is null) = (claimed_until is null));

-- Whether the processor has it on sale, as far as we have told it.
alter table tiers add column provider_active boolean not null default true;
alter table prices add column provider_active boolean not null default true;
create index tiers_to_archive on tiers (id)
  where provider_product_id is not null and is_active <> provider_active;
create index prices_to_archive on prices (id)
  where provider_price_id is not null and is_active <> provider_active;

-- What is compared with the processor, in the order it is walked.
create index subscriptions_live on subscriptions (id) where status not in ('Canceled', 'IncompleteExpired');
create index checkout_sessions_open on checkout_sessions (created_at, id) where status = 'open';
create index webhook_events_applied on webhook_events (applied_at) where applied_at is not null;

-- One row for each time that both sides were compared.
create table reconciliations (
  id text primary key,
  started_at timestamptz,
  finished_at timestamptz,
  -- What was looked at and what was repaired; null until it has finished.
  report jsonb,
  created_at timestamptz not null default now()
);
create index reconciliations_newest on reconciliations (created_at desc);
