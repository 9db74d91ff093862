ALTER TABLE events{{onCluster}}
    -- How the event was reported. Rows that an earlier release inserted have '', and only those: `quarter_from_events` leaves them out,
    -- and `fill-counts.ts` counts them.
    ADD COLUMN IF NOT EXISTS source LowCardinality(String)
