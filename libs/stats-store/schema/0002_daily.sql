CREATE TABLE IF NOT EXISTS daily{{onCluster}}
(
    workspace_id LowCardinality(String),
    ad_id        LowCardinality(String),
    day          Date,
    kind         Enum8('impression' = 1, 'click' = 2),
    verdict      Enum8('valid' = 1, 'bot' = 2, 'prefetch' = 3, 'duplicate' = 4, 'not_serving' = 5),
    events       SimpleAggregateFunction(sum, UInt64),
    visitors     AggregateFunction(uniqCombined64(17), FixedString(16))
)
ENGINE = {{engine:AggregatingMergeTree}}
PARTITION BY toYear(day)
ORDER BY (workspace_id, ad_id, day, kind, verdict)
SETTINGS
    -- An ad's month is some hundred rows; reading 8192 visitor states for them would take most of the time.
    index_granularity = 512,
    {{deduplication}},
    {{durability}}
