-- When an advertiser is charged, and how long an ad stays live after a renewal has failed.

alter table workspaces
  -- For new purchases: a subscription keeps the rule that it was sold under.
  add column charge_at text not null default 'purchase' check (charge_at in ('purchase', 'approval')),
  -- Days from the first failed attempt; 0 takes the ad off the air at once.
  add column renewal_grace_days integer not null default 3 check (renewal_grace_days between 0 and 14);

alter table subscriptions
  -- The rule that it was sold under.
  add column charge_at text not null default 'purchase' check (charge_at in ('purchase', 'approval')),
  -- Whether the processor holds its charges until its ad is approved for the first time.
  add column awaits_approval boolean not null default false,
  -- When its oldest unpaid renewal was first attempted; null unless one is unpaid, and for one that has never paid.
  add column renewal_failed_at timestamptz;
