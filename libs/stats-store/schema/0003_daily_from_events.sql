CREATE MATERIALIZED VIEW IF NOT EXISTS daily_from_events{{onCluster}} TO daily AS
SELECT
    workspace_id,
    ad_id,
    toDate(occurred_at) AS day,
    kind,
    verdict,
    count() AS events,
    uniqCombined64State(17)(visitor) AS visitors
FROM events
GROUP BY workspace_id, ad_id, day, kind, verdict
