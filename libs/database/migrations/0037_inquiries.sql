-- A bank that only asks about a payment has taken nothing: `inquiry` is one more status of a dispute that is open.
drop index charges_open_disputes;
create index charges_open_disputes on charges (updated_at)
  where dispute_status in ('inquiry', 'needs_response', 'under_review');
-- Inquiries were stored as disputes. The comparison with the processor reads them again.
update ledger_fills set compared_at = null;
