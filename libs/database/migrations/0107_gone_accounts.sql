-- Since when the processor has answered, whenever it was asked about the account itself, that it is closed or disconnected, on the processor's
-- clock. Null while the account can be read. One such answer proves nothing: a wrong key gives it, too.
alter table connected_accounts add column gone_since timestamptz;
