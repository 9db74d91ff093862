-- What the page that began a purchase gave with it, to find the purchase again: its own reference, and values by its own keys.
alter table subscriptions
  add column client_reference text,
  add column metadata jsonb not null default '{}'::jsonb;

create index subscriptions_reference on subscriptions (workspace_id, client_reference) where client_reference is not null;
