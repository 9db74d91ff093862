-- Every upload that was granted or made, whether or not a file has come. The file itself is in the store of uploads.

create table uploads (
  key text primary key,
  -- No foreign key: the entry outlives the workspace, until its files are removed.
  workspace_id text not null,
  -- When the last grant for it was given; it can be written for five minutes from then.
  granted_at timestamptz not null,
  -- When it is next looked at, whether anything uses it.
  due_at timestamptz not null
);
create index uploads_due on uploads (due_at);
