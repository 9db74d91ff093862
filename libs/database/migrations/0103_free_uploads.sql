-- Files that somebody who pays nothing has made a workspace keep: of free checkouts, and copies of images of free ads. Copies made until now
-- count as paid for.
alter table uploads add column is_free boolean not null default false;
update uploads set is_free = true
  from checkout_sessions
  join prices on prices.id = checkout_sessions.price_id
  where checkout_sessions.id = uploads.checkout_session_id and prices.amount = 0;
