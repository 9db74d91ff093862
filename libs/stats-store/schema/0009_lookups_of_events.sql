ALTER TABLE events{{onCluster}}
    -- For counted-visits.ts and stored-of-requests.ts, which ask by the same expressions. Rows that cannot be an answer are the empty
    -- text: blocks of nothing else are skipped by the ranges, whatever is asked for, and all other blocks by the bloom filters.
    ADD INDEX IF NOT EXISTS counted_visitor if(verdict = 'valid', visitor, '') TYPE bloom_filter(0.001) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS counted_visitor_range if(verdict = 'valid', visitor, '') TYPE minmax GRANULARITY 1,
    ADD INDEX IF NOT EXISTS request if(event_id >= 'evt_6', substring(event_id, 1, 26), '') TYPE bloom_filter(0.001) GRANULARITY 1,
    ADD INDEX IF NOT EXISTS request_range if(event_id >= 'evt_6', substring(event_id, 1, 26), '') TYPE minmax GRANULARITY 1
