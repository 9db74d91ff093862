-- Counts the submissions of an ad, edits of the approved one included: a decision can name the content that it is about.
alter table ads add column version integer not null default 1;
-- The count with which this edit came.
alter table revisions add column version integer not null default 1;

-- When a pending ad was last submitted; null for one that was not submitted again.
alter table ads add column submitted_at timestamptz;

-- The submission that changes were requested of, with the note, until the next decision on the one that followed it.
alter table ads add column previous jsonb;
alter table revisions add column previous jsonb;
