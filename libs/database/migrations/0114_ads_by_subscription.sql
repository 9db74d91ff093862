-- The ad of a subscription of a workspace: by its subscription alone, Postgres may prefer any index of the workspace, and read all ads.
create index ads_by_subscription on ads (workspace_id, subscription_id);
