CREATE TABLE IF NOT EXISTS installation{{onCluster}}
(
    -- One row, the one of the highest checkpoint.
    only       UInt8 DEFAULT 0,
    note       String,
    checkpoint UInt64
)
ENGINE = {{engine:ReplacingMergeTree}}
ORDER BY only
SETTINGS {{durability}}
