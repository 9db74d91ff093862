-- What the operator of an installation does to people and workspaces.

-- Since when nobody signs in as this person, and the keys that they made are refused.
alter table people add column suspended_at timestamptz;

-- Since when nothing of this workspace is served or sold, and nobody works in it.
alter table workspaces add column suspended_at timestamptz;

-- What an operator does may concern no workspace, or one that is gone afterwards.
alter table audit_log
  alter column workspace_id drop not null,
  drop constraint audit_log_actor_kind_check,
  add constraint audit_log_actor_kind_check
    check (actor_kind in ('person', 'key', 'advertiser', 'processor', 'operator')),
  add constraint audit_log_workspace_check check (workspace_id is not null or actor_kind = 'operator');
create index audit_log_operator on audit_log (id desc) where workspace_id is null;
