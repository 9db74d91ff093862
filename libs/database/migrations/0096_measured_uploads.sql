-- The size of an image and the version of the file that has it: `{"version": …, "size": {"width": …, "height": …}}`, with null for the size of
-- a damaged one. Null until a submission asks for it.
alter table uploads add column measured jsonb;
