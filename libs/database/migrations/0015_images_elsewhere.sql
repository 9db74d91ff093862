-- Images that were submitted with an address elsewhere and have no copy of ours yet. `meta` has an image only once it lies
-- in our uploads, so that nothing that reads `meta` can show one that its owner may exchange.

-- By field id: {"address": text, "attempts": number, "dueAt": text or null, "problem": text or null}.
alter table ads add column images_elsewhere jsonb not null default '{}';
alter table revisions add column images_elsewhere jsonb not null default '{}';
create index ads_images_elsewhere on ads (workspace_id) where images_elsewhere <> '{}';
create index revisions_images_elsewhere on revisions (workspace_id) where images_elsewhere <> '{}';
