-- When an advertiser is charged, and how long an ad stays live after a renewal has failed.

alter table workspaces
  -- For new purchases: a subscription keeps the rule that it was sold under.
  add column charge_at text not null default 'purchase' check (charge_at in ('purchase', 'approval')),
  -- Days from the first failed attempt; 0 takes the ad off the air at once.
  add column renewal_grace_days integer not null default 3 check (renewal_grace_days between 0 and 14);
