-- Notes that the publisher writes to advertisers again and again, offered where an ad is reviewed.
alter table workspaces add column saved_replies text[] not null default '{}';
