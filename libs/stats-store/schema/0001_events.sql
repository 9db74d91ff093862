CREATE TABLE IF NOT EXISTS events{{onCluster}}
(
    event_id     String,
    workspace_id LowCardinality(String),
    ad_id        LowCardinality(String),
    kind         Enum8('impression' = 1, 'click' = 2),
    verdict      Enum8('valid' = 1, 'bot' = 2, 'prefetch' = 3, 'duplicate' = 4, 'not_serving' = 5),
    visitor      FixedString(16),
    occurred_at  DateTime64(3, 'UTC'),
    -- A damaged time must not open a partition of its own.
    CONSTRAINT occurred_at_is_plausible CHECK occurred_at >= '2020-01-01' AND occurred_at < '2100-01-01'
)
ENGINE = {{engine:MergeTree}}
PARTITION BY toYYYYMM(occurred_at)
ORDER BY (workspace_id, ad_id, occurred_at)
TTL toDate(occurred_at) + INTERVAL {{eventRetentionDays}} DAY
SETTINGS
    {{deduplication}},
    {{durability}},
    ttl_only_drop_parts = 1
