-- What looking for the icon of a site has come to. Kept for a while, so that no site is asked again for every ad.

create type favicon_outcome as enum ('found', 'none', 'unreachable');

create table favicon_lookups (
  -- The page's address, without query and fragment.
  page text primary key check (char_length(page) <= 1024),
  host text not null,
  outcome favicon_outcome not null,
  content_type text,
  bytes bytea check (octet_length(bytes) <= 262144),
  asked_at timestamptz not null,
  check ((outcome = 'found') = (content_type is not null and bytes is not null))
);
create index favicon_lookups_host on favicon_lookups (host, asked_at);
create index favicon_lookups_age on favicon_lookups (asked_at);
