ALTER TABLE events{{onCluster}}
    -- Where the event happened. Rows that an earlier release inserted have '' as their device, and only those:
    -- `wide_from_events` leaves them out, and `fill-counts.ts` counts them.
    ADD COLUMN IF NOT EXISTS placement LowCardinality(String),
    ADD COLUMN IF NOT EXISTS path LowCardinality(String),
    ADD COLUMN IF NOT EXISTS referrer LowCardinality(String),
    ADD COLUMN IF NOT EXISTS country LowCardinality(String),
    ADD COLUMN IF NOT EXISTS device LowCardinality(String),
    ADD COLUMN IF NOT EXISTS browser LowCardinality(String)
