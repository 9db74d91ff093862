-- Counts the submissions of an ad, edits of the approved one included: a decision can name the content that it is about.
alter table ads add column version integer not null default 1;
-- The count with which this edit came.
alter table revisions add column version integer not null default 1;
