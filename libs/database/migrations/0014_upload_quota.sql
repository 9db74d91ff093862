-- What uploads take: of a workspace's quota, and of the grants that one checkout may have open.

alter table uploads
  -- The length that was granted or stored. 0 for uploads from before; the daily sweep finds out.
  add column bytes integer not null default 0 check (bytes >= 0),
  -- When the file was first seen in the store; null while only the grant is known.
  add column arrived_at timestamptz,
  -- The checkout that the grant was given to; null for a publisher's, and for files of our own.
  add column checkout_session_id text;
create index uploads_workspace on uploads (workspace_id) include (bytes);
create index uploads_unseen on uploads (granted_at) where arrived_at is null;
