-- By places instead of a regular expression, which took 100 ms for the 1,460 keys that the values of an ad have room for, under its lock.
-- A text that only looks like a key does no harm: no upload has it. Keys that follow each other at once are found, too.
create or replace function upload_keys(variadic texts text[]) returns text[]
  language sql immutable parallel safe cost 100000
  return (
    select coalesce(
      array_agg('ws_' || left(rest, case when position(substr(rest, 64, 1) in 'abcdefghijklmnopqrstuvwxyz') > 0 then 64 else 63 end)),
      '{}'
    )
    from string_to_table(array_to_string(texts, ' '), 'ws_') as rest
    where substr(rest, 27, 1) = '/' and substr(rest, 60, 1) = '.'
  );
