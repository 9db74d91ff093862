-- When the last comparison of an account's ledger began that succeeded, on the payment processor's clock; null before the first
-- one. Null for all accounts at first, so that the next comparison reads everything once.
alter table ledger_fills add column compared_at timestamptz;
