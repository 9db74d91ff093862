-- Whom advertisers ask, and what they and publishers are told of.

alter table workspaces
  -- Shown to advertisers, and where their answers to emails go; null for none.
  add column contact_email text;

-- One more kind of mail that can be turned off.
alter table workspaces
  drop constraint workspaces_muted_mails_check,
  add constraint workspaces_muted_mails_check
    check (muted_mails <@ array['purchase', 'adWaiting', 'paymentFailed', 'subscriptionCanceled', 'monthlyReports']);

-- When buyer and publisher are reminded if there is still no ad; null once that was looked at.
alter table checkout_sessions add column remind_at timestamptz;
create index checkout_sessions_remind on checkout_sessions (remind_at) where remind_at is not null;

-- Links to the page with all ads of an advertiser, sent on request. Only the hash of the token is kept.
create table advertiser_links (
  token_hash bytea primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  advertiser_id text not null,
  expires_at timestamptz not null,
  foreign key (workspace_id, advertiser_id) references advertisers (workspace_id, id) on delete cascade
);
create index advertiser_links_advertiser on advertiser_links (workspace_id, advertiser_id);
create index advertiser_links_expired on advertiser_links (expires_at);

-- Whether publisher and advertiser are to be told when the grace of a failed renewal ends.
alter table subscriptions add column tells_grace_end boolean not null default false;
create index subscriptions_grace_end on subscriptions (id) where tells_grace_end;
