-- When the publisher last shortened the grace of renewals, on the payment processor's clock, and how many days it had until then: an ad that
-- was in its grace was on the air until that moment.
alter table workspaces add column grace_cut_at timestamptz, add column grace_days_before integer;
