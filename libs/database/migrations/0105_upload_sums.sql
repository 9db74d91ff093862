-- A grant sums what the files of its workspace count, under a lock: from this index alone, in which files of a size take little. Those of a
-- checkout are found without the others.
create index uploads_room on uploads (workspace_id, is_free, bytes);
drop index uploads_workspace;
create index uploads_checkout on uploads (checkout_session_id) where checkout_session_id is not null;
