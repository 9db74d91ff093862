-- Whether the processor collects what it invoices. Somebody may resume the collection there of what is held or stopped here.
alter table subscriptions add column is_collected boolean not null default true;
-- The processor's id of the invoice whose charge has failed, until the period that it is for runs: another one is news.
alter table subscriptions add column owed_invoice text;
-- When the deletion of a workspace took its ads off the air, on the payment processor's clock: what is charged later is refunded.
alter table workspaces add column closed_at timestamptz;
-- When the charge of a renewal failed, of an invoice that is still open.
alter table invoices add column renewal_failed_at timestamptz;
