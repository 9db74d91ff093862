-- The renewals of a workspace that are unpaid, for a change of its grace period.
create index subscriptions_unpaid on subscriptions (workspace_id, id) where renewal_failed_at is not null;
