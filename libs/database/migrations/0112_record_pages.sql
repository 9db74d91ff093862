-- Whether events keep the path of the page and the referring site.
alter table workspaces add column record_pages boolean not null default true;
