-- Reports to advertisers: what was sent, and who wants none.

-- One report an advertiser and month, however often the job runs and in how many processes.
create table monthly_reports (
  advertiser_id text not null,
  -- In UTC, as 2026-10.
  month text not null check (month ~ '^\d{4}-(0[1-9]|1[0-2])$'),
  workspace_id text not null,
  queued_at timestamptz not null default now(),
  primary key (advertiser_id, month),
  foreign key (workspace_id, advertiser_id) references advertisers (workspace_id, id) on delete cascade
);

create table report_unsubscribes (
  advertiser_id text primary key,
  workspace_id text not null,
  created_at timestamptz not null default now(),
  foreign key (workspace_id, advertiser_id) references advertisers (workspace_id, id) on delete cascade
);
