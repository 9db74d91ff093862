-- Who owned a workspace whose deletion has begun: what is counted by owners still counts to them until its row is gone.
alter table workspaces add column erasing_owner text;
