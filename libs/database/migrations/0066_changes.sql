-- When a row last changed in a way that somebody who reads it would see: by the database's clock, at the time of the write.
-- Rows from before count as changed by the migration.
create function note_change() returns trigger language plpgsql as $$
declare
  unseen constant text[] := array['changed_at', 'updated_at', 'sync_version', 'claim', 'claimed_until'];
begin
  if to_jsonb(new) - unseen is distinct from to_jsonb(old) - unseen then
    new.changed_at := clock_timestamp();
  end if;
  return new;
end
$$;

alter table ads add column changed_at timestamptz not null default now();
alter table advertisers add column changed_at timestamptz not null default now();
alter table subscriptions add column changed_at timestamptz not null default now();
alter table invoices add column changed_at timestamptz not null default now();
alter table charges add column changed_at timestamptz not null default now();

alter table ads alter column changed_at set default clock_timestamp();
alter table advertisers alter column changed_at set default clock_timestamp();
alter table subscriptions alter column changed_at set default clock_timestamp();
alter table invoices alter column changed_at set default clock_timestamp();
alter table charges alter column changed_at set default clock_timestamp();

create trigger note_change before update on ads for each row execute function note_change();
create trigger note_change before update on advertisers for each row execute function note_change();
create trigger note_change before update on subscriptions for each row execute function note_change();
create trigger note_change before update on invoices for each row execute function note_change();
create trigger note_change before update on charges for each row execute function note_change();

create index ads_changed on ads (workspace_id, changed_at);
create index advertisers_changed on advertisers (workspace_id, changed_at);
create index subscriptions_changed on subscriptions (workspace_id, changed_at);
create index invoices_changed on invoices (workspace_id, changed_at);
create index charges_changed on charges (workspace_id, changed_at);

-- Refunds are listed, newest first; the index by time alone is its beginning.
create index refunds_list on refunds (workspace_id, refunded_at desc, id desc);
drop index refunds_by_time;
