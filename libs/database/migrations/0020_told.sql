-- Whom advertisers ask, and what they and publishers are told of.

alter table workspaces
  -- Shown to advertisers, and where their answers to emails go; null for none.
  add column contact_email text;
