CREATE TABLE IF NOT EXISTS quarter{{onCluster}}
(
    workspace_id LowCardinality(String),
    ad_id        LowCardinality(String),
    -- Its first second. The offsets of all time zones in use are multiples of 15 minutes.
    bucket       DateTime('UTC'),
    kind         Enum8('impression' = 1, 'click' = 2),
    verdict      Enum8('valid' = 1, 'bot' = 2, 'prefetch' = 3, 'duplicate' = 4, 'not_serving' = 5, 'network' = 6, 'unproven' = 7,
                     'limited' = 8),
    source       LowCardinality(String),
    events       SimpleAggregateFunction(sum, UInt64)
)
ENGINE = {{engine:AggregatingMergeTree}}
PARTITION BY toYYYYMM(bucket)
ORDER BY (workspace_id, ad_id, bucket, kind, verdict, source)
SETTINGS
    {{deduplication}},
    {{durability}}
