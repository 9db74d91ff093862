-- What is added to the address that a link without script leads to; null for nothing.
alter table workspaces
  add column utm_source text,
  add column utm_medium text,
  add column utm_campaign text;
