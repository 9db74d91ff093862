-- The latest dispute of a charge; its status as in `DISPUTE_STATUSES`.
alter table charges
  add column dispute_amount bigint,
  add column dispute_status text,
  -- When the bank stops taking evidence.
  add column dispute_due_at timestamptz;
create index charges_open_disputes on charges (updated_at)
  where dispute_status in ('needs_response', 'under_review');

alter table refunds
  -- Free text of whoever made it here.
  add column note text,
  -- When the audit log named who made it here; null for one made at the processor.
  add column audited_at timestamptz;

-- The disputes that are known have no amount and no status yet: the next comparison reads all of them.
update ledger_fills set reversals_filled_at = null;
