-- What an image field asks of its images: recommended size, ratio and minimum. Null for nothing, and for other types.
alter table fields add column image jsonb;
