-- Exports read large rows a few at a time.
create index ads_by_id on ads (workspace_id, id);
create index revisions_by_id on revisions (workspace_id, ad_id);
