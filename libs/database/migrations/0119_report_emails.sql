-- Reports by email, weekly or monthly, to members and advertisers.

-- The reports that a member gets.
alter table members add column report_emails text[] not null default '{}'
  check (report_emails <@ array['week', 'month']);

-- How often an advertiser gets reports, unless `report_unsubscribes` names them.
alter table advertisers add column report_email text not null default 'month'
  check (report_email in ('week', 'month'));

-- Claims of reports, to a member or to an advertiser. `month` is the month (2026-10), or the Monday of the week (2026-10-19): the
-- earlier release, which names the table and the column, claims months of advertisers alone.
alter table monthly_reports drop constraint monthly_reports_pkey;
alter table monthly_reports drop constraint monthly_reports_month_check;
alter table monthly_reports
  add column id bigint generated always as identity primary key,
  add column member_id text,
  alter column advertiser_id drop not null,
  add constraint monthly_reports_month_check check (month ~ '^\d{4}-(0[1-9]|1[0-2])(-\d{2})?$'),
  add constraint monthly_reports_reader_check check (num_nonnulls(advertiser_id, member_id) = 1),
  add constraint monthly_reports_advertiser_key unique (advertiser_id, month),
  add constraint monthly_reports_member_key unique (member_id, month),
  add foreign key (workspace_id, member_id) references members (workspace_id, id) on delete cascade;
