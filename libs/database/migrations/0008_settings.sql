-- What a publisher sets of a workspace beside what it is called.

alter table workspaces
  -- Whether visitors of the advertise page are told what placements have brought.
  add column audience_public boolean not null default false,
  -- Events a minute for one address and ad: null is the installation's limit, 0 is none.
  add column impressions_per_minute integer check (impressions_per_minute between 0 and 100000),
  add column clicks_per_minute integer check (clicks_per_minute between 0 and 100000),
  -- Mails that are not sent.
  add column muted_mails text[] not null default '{}'
    check (muted_mails <@ array['adWaiting', 'paymentFailed', 'subscriptionCanceled', 'monthlyReports']);
