-- The deletion of an account finds what the audit log says about one person without reading all of it.
create index audit_log_actor on audit_log (actor_id) where actor_kind in ('person', 'key');
create index audit_log_people on audit_log (resource_id) where resource_kind in ('member', 'api-key', 'tracking-key');
create index audit_log_addresses on audit_log
  using gin ((array[before ->> 'email', after ->> 'email', before ->> 'contactEmail', after ->> 'contactEmail']))
  where coalesce(before ->> 'email', after ->> 'email', before ->> 'contactEmail', after ->> 'contactEmail') is not null;
