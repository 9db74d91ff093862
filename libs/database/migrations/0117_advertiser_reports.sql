alter table workspaces add column advertiser_splits text[] not null default '{country,device}'
  check (advertiser_splits <@ array['placement', 'path', 'referrer', 'country', 'device', 'browser']);

-- Ads whose report anybody may read who has its address. The address is made of `salt` and a secret of the installation.
create table report_links (
  ad_id text primary key references ads (id) on delete cascade,
  workspace_id text not null references workspaces (id) on delete cascade,
  salt text not null,
  created_at timestamptz not null default now()
);
create index report_links_workspace on report_links (workspace_id);
