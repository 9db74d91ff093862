-- Invoices, charges and accounts take their versions from the sequence too, which continues above all that were counted.
select setval('sync_tickets', 1 + greatest(
  (select last_value from sync_tickets),
  (select max(sync_version) from invoices),
  (select max(sync_version) from charges),
  (select max(sync_version) from connected_accounts)
));

-- When the refunds and disputes of an account had all been read once.
alter table ledger_fills add column reversals_filled_at timestamptz;
