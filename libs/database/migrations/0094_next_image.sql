-- When the next image of a creative is to be copied; null where all have failed for good.
create function next_image_due(images jsonb) returns text
  language sql immutable strict parallel safe
  return (select min(value ->> 'dueAt') from jsonb_each(images));

-- The next image of a workspace is read off these: strangers make creatives whose images fail, and those stay.
create index ads_next_image on ads (workspace_id, next_image_due(images_elsewhere)) where images_elsewhere <> '{}';
create index revisions_next_image on revisions (workspace_id, next_image_due(images_elsewhere)) where images_elsewhere <> '{}';
drop index ads_images_elsewhere;
drop index revisions_images_elsewhere;
