-- Whether events keep a hash of their visitor.
alter table workspaces add column count_visitors boolean not null default true;
