CREATE MATERIALIZED VIEW IF NOT EXISTS wide_from_events{{onCluster}} TO wide AS
SELECT
    workspace_id,
    toStartOfFifteenMinutes(toDateTime(occurred_at, 'UTC')) AS bucket,
    ad_id,
    kind,
    verdict,
    source,
    placement,
    path,
    referrer,
    country,
    device,
    browser,
    count() AS events
FROM events
WHERE device != ''
GROUP BY workspace_id, bucket, ad_id, kind, verdict, source, placement, path, referrer, country, device, browser
