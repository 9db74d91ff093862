CREATE MATERIALIZED VIEW IF NOT EXISTS quarter_from_events{{onCluster}} TO quarter AS
SELECT
    workspace_id,
    ad_id,
    toStartOfFifteenMinutes(toDateTime(occurred_at, 'UTC')) AS bucket,
    kind,
    verdict,
    source,
    count() AS events
FROM events
WHERE source != ''
GROUP BY workspace_id, ad_id, bucket, kind, verdict, source
