-- UTC days of an ad, both included, whose traffic its publisher finds invalid afterwards, or might. Events stay as they are.
create table corrections (
  id text primary key,
  workspace_id text not null references workspaces (id) on delete cascade,
  ad_id text not null references ads (id) on delete cascade,
  first_day text not null check (first_day ~ '^\d{4}-\d{2}-\d{2}$'),
  last_day text not null check (last_day ~ '^\d{4}-\d{2}-\d{2}$' and last_day >= first_day),
  reason text not null check (char_length(reason) between 1 and 500),
  -- Whether the daily rule made it, and not a person.
  is_proposal boolean not null default false,
  status text not null check (status in ('Proposed', 'Applied', 'Dismissed')),
  created_at timestamptz not null default now()
);
create index corrections_applied on corrections (workspace_id) where status = 'Applied';
create index corrections_of_ad on corrections (ad_id, created_at desc);
-- A day is proposed once, whatever becomes of it.
create unique index corrections_proposed on corrections (ad_id, first_day) where is_proposal;
