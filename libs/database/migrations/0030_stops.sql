-- The time of a subscription's period can stand still: why, since when, and what became of the period's invoice. Copied from the
-- processor, as is whether the invoice of the current period was voided.
alter table subscriptions add column stop_reason text check (stop_reason in ('paused', 'resumed', 'unpaid'));
alter table subscriptions add column stopped_at timestamptz;
alter table subscriptions add column stop_bill text check (stop_bill in ('paid', 'open', 'collected', 'void'));
alter table subscriptions add column is_period_void boolean not null default false;
