-- Since when the processor has not known a subscription that a deletion has to end, on the processor's clock. One such answer proves
-- nothing: the key may be another account's.
alter table subscriptions add column missing_since timestamptz;
