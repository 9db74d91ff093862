-- What a key may do: manage, or report events and nothing else.
alter table api_keys
  add column kind text not null default 'api',
  add constraint api_keys_kind_check check (kind in ('api', 'tracking'));
