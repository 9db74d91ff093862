-- What Postgres expects of a workspace that its statistics do not know yet is one row of each table. Then it holds each row against each,
-- which takes the square of them. By default a table has its statistics made anew after a tenth of it has changed: in a large one that is
-- more than the whole of a large workspace.
alter table subscriptions set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table ads set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table advertisers set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table invoices set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table charges set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table revisions set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
alter table prices set (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 250);
