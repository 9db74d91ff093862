/** What `JUDGE` answers for each event, unless it is the id of an open batch. */
export const JUDGED = ["fresh", "duplicate", "limited"] as const;

/** Keys of each event: the count of its address, and the times of its visitor. */
const KEYS_OF_AN_EVENT = 2;
/** Arguments of `JUDGE` for each event: limit a minute, window in ms, whether it can count, its time in ms. */
const ARGUMENTS_OF_AN_EVENT = 4;

/**
 * What `JUDGE` and `DROP` begin with. KEYS: the batches that are open and those that were dropped, both by the time until
 * which that has to be known; then those of each event. ARGV: the batch's id, for how many ms to know it; then those of
 * each event.
 *
 * The times of a visitor are the last event that counted and the one before it, since an event may come late and is a
 * duplicate of either; each as time and batch, `1795262430000:Xq3-1a`.
 */
const BEGINNING = `
  local open, dropped, batch, known = KEYS[1], KEYS[2], ARGV[1], tonumber(ARGV[2])
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local function note(batches)
    redis.call('ZREMRANGEBYSCORE', batches, '-inf', now)
    redis.call('ZADD', batches, string.format('%.0f', now + known), batch)
    redis.call('PEXPIRE', batches, known)
  end
`;

/**
 * Judges a batch as `judging.ts` does, in one call, so that events of all processes see each other. Answers an index into
 * `JUDGED` for each event, or, for a duplicate of an event of another batch that is open, the id of that batch.
 */
export const JUDGE = `${BEGINNING}
  -- The process gave this call up, while it waited for a server that did not answer.
  if redis.call('ZSCORE', dropped, batch) then return redis.error_reply('the batch was dropped') end
  note(open)
  local isOpen = { [''] = false }
  local judged = {}
  for i = 1, (#KEYS - 2) / ${KEYS_OF_AN_EVENT} do
    local count, times = KEYS[2 * i + 1], KEYS[2 * i + 2]
    local first = 2 + ${ARGUMENTS_OF_AN_EVENT} * (i - 1)
    local limit, window = tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
    local countable, at = ARGV[first + 3] == '1', tonumber(ARGV[first + 4])
    local verdict = 0
    if limit > 0 then
      local taken = redis.call('INCR', count)
      -- The minute, and one more for events that come late.
      if taken == 1 then redis.call('EXPIRE', count, 120) end
      if taken > limit then
        -- What is refused takes nothing, so that a limit that is raised leaves room.
        redis.call('DECR', count)
        verdict = 2
      end
    end
    if verdict == 0 and countable and window > 0 then
      local last = nil
      for mark, markAt, markBatch in string.gmatch(redis.call('GET', times) or '', '((%-?%d+):?(%S*))') do
        last = last or mark
        if verdict == 0 and math.abs(at - tonumber(markAt)) < window then
          if isOpen[markBatch] == nil then
            isOpen[markBatch] = markBatch ~= batch and redis.call('ZSCORE', open, markBatch) ~= false
          end
          verdict = isOpen[markBatch] and markBatch or 1
        end
      end
      if verdict == 0 then
        local kept = string.format('%.0f', at) .. ':' .. batch
        if last then kept = kept .. ' ' .. last end
        redis.call('SET', times, kept, 'PX', 2 * window)
      end
    end
    judged[i] = verdict
  end
  return judged
`;

/**
 * Undoes what `JUDGE` did for a batch, or keeps a later `JUDGE` of it from doing anything. ARGV of each event: 1 if it was
 * counted against the limit.
 */
export const DROP = `${BEGINNING}
  local wasJudged = redis.call('ZSCORE', open, batch)
  note(dropped)
  if not wasJudged then return 0 end
  for i = 1, (#KEYS - 2) / ${KEYS_OF_AN_EVENT} do
    local count, times = KEYS[2 * i + 1], KEYS[2 * i + 2]
    if ARGV[2 + i] == '1' and tonumber(redis.call('GET', count) or '0') > 0 then redis.call('DECR', count) end
    local kept, isMarked = {}, false
    for mark, markBatch in string.gmatch(redis.call('GET', times) or '', '(%-?%d+:?(%S*))') do
      if markBatch == batch then isMarked = true else kept[#kept + 1] = mark end
    end
    if isMarked and #kept == 0 then redis.call('DEL', times) end
    if isMarked and #kept > 0 then
      redis.call('SET', times, table.concat(kept, ' '), 'PX', math.max(1, redis.call('PTTL', times)))
    end
  end
  -- Last: should a full Redis refuse one of these, the batch stays open, and nothing is a confirmed duplicate of it.
  redis.call('ZREM', open, batch)
  return 1
`;

/** The state of the batch: 'open', 'dropped' or 'stored'. */
export const STATE = `
  if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 'dropped' end
  return redis.call('ZSCORE', KEYS[1], ARGV[1]) and 'open' or 'stored'
`;
