-- What became of the advertisers' money, for the page that their links lead to; null for a workspace that was deleted before.
alter table erased_workspaces add column refunds boolean;
