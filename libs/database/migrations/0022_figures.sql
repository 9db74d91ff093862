-- The list of purchases.
create index subscriptions_list on subscriptions (workspace_id, created_at desc, id desc);

-- The host of a page that showed the workspace's placements, and when it last did.
alter table workspaces
  add column site_host text,
  add column site_seen_at timestamptz;
