-- Since when a refund that was decided with the end of a subscription waits for the payment processor; null for none.
alter table subscriptions add column refund_due_since timestamptz;
create index subscriptions_refund_due on subscriptions (id) where refund_due_since is not null;
