-- Whether reports were ended by the link in one. Only the reader of the address has it, so nobody else starts them again.
alter table report_unsubscribes add column by_link boolean not null default false;
