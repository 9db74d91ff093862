-- Whether the deletion of a workspace refunds the rest of what was paid; null for a deletion that began before.
alter table workspaces add column erasing_refunds boolean;
