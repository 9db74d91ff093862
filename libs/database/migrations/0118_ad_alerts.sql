alter table workspaces
  drop constraint workspaces_muted_mails_check,
  add constraint workspaces_muted_mails_check check (muted_mails <@
    array['purchase', 'adWaiting', 'paymentFailed', 'subscriptionCanceled', 'adAlert', 'monthlyReports']),
  add column alert_hours integer not null default 24 check (alert_hours between 1 and 168),
  add column alert_invalid_percent integer not null default 50 check (alert_invalid_percent between 1 and 100);

-- What the publisher was told of live ads, while it lasts.
create table ad_alerts (
  ad_id text primary key references ads (id) on delete cascade,
  workspace_id text not null references workspaces (id) on delete cascade,
  alert text not null check (alert in ('unseen', 'invalid'))
);
create index ad_alerts_workspace on ad_alerts (workspace_id);
