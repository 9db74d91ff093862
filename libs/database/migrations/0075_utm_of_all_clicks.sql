-- Snapshots from before serve addresses without UTM parameters: `compare-snapshots` publishes those of a newer version within a minute.
update workspaces set version = version + 1
where utm_source is not null or utm_medium is not null or utm_campaign is not null;
