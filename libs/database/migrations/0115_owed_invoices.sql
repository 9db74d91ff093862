-- Whether a subscription owes an earlier period, without all open invoices of its workspace.
create index invoices_owed on invoices (workspace_id, subscription_id) where status = 'open' and renewal_failed_at is not null;
