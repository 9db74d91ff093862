CREATE TABLE IF NOT EXISTS wide{{onCluster}}
(
    workspace_id LowCardinality(String),
    -- Its first second, as in `quarter`.
    bucket       DateTime('UTC'),
    ad_id        LowCardinality(String),
    kind         Enum8('impression' = 1, 'click' = 2),
    verdict      Enum8('valid' = 1, 'bot' = 2, 'prefetch' = 3, 'duplicate' = 4, 'not_serving' = 5, 'network' = 6, 'unproven' = 7,
                     'limited' = 8),
    source       LowCardinality(String),
    placement    LowCardinality(String),
    path         LowCardinality(String),
    referrer     LowCardinality(String),
    country      LowCardinality(String),
    device       LowCardinality(String),
    browser      LowCardinality(String),
    events       SimpleAggregateFunction(sum, UInt64)
)
ENGINE = {{engine:AggregatingMergeTree}}
PARTITION BY toYYYYMM(bucket)
PRIMARY KEY (workspace_id, bucket, ad_id)
ORDER BY (workspace_id, bucket, ad_id, kind, verdict, source, placement, path, referrer, country, device, browser)
TTL toDate(bucket) + INTERVAL {{splitRetentionDays}} DAY
SETTINGS
    {{deduplication}},
    {{durability}},
    ttl_only_drop_parts = 1
