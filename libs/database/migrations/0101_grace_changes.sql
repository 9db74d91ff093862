-- Every change of the grace of renewals that can still matter, oldest first: when it was made, in milliseconds since the epoch on the payment
-- processor's clock, and how many days the grace had until then. One change was not enough: a second one hid what the first had ended.
alter table workspaces add column grace_changes jsonb not null default '[]';
update workspaces
  set grace_changes = jsonb_build_array(
    jsonb_build_object('at', floor(extract(epoch from grace_cut_at) * 1000)::bigint, 'daysBefore', grace_days_before)
  )
  where grace_cut_at is not null and grace_days_before is not null;
alter table workspaces drop column grace_cut_at, drop column grace_days_before;
