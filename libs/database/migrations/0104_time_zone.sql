-- An IANA name, for the days of reports; null for UTC.
alter table workspaces add column time_zone text;
