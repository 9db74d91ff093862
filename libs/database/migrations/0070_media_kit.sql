-- What the advertising page tells about the site and its readers: libs/domain/media-kit.ts has the shape.
alter table workspaces
  add column media_kit jsonb not null
    default '{"description": null, "logoUrl": null, "audience": null, "topics": [], "faq": []}';
