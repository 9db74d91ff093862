-- The release before could let an ad serve in a period that the processor had voided. Such a period runs to its end and is not charged:
-- until then nothing is owed.
alter table subscriptions add column free_until timestamptz;

update subscriptions set free_until = current_period_end
where status not in ('Canceled', 'IncompleteExpired') and not awaits_approval;
