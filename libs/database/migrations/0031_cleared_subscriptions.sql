-- When the invoices of a subscription that has ended were settled; null while that is to be done.
alter table subscriptions add column cleared_at timestamptz;
update subscriptions set cleared_at = now()
where status in ('Canceled', 'IncompleteExpired') and not exists (
  select from invoices where invoices.subscription_id = subscriptions.id and invoices.status in ('draft', 'open')
);
