-- A credit above the price of a period has made the total of its invoice negative. Its period is paid, by 0.
update subscriptions set paid_amount = 0, updated_at = now() where paid_amount < 0;
