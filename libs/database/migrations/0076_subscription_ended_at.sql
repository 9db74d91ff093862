-- When a subscription really ended, by the processor: `canceled_at` of one that ends with its period is when that was decided. Null for rows
-- that were read before.
alter table subscriptions add column ended_at timestamptz;
