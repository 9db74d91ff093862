-- What the database remembers of the installation that it belongs to, to be compared with what the other stores remember.
create table installation (
  is_only boolean primary key default true check (is_only),
  id text not null check (char_length(id) between 1 and 64),
  checkpoint bigint not null check (checkpoint > 0),
  log_end bigint not null check (log_end >= 0),
  -- Damage to other stores that was accepted: it is named once, not at each start.
  known_damage jsonb not null default '[]'::jsonb check (jsonb_typeof(known_damage) = 'array'),
  noted_at timestamptz not null default now()
);
