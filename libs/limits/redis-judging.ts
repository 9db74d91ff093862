/** What the script answers for each event. */
export const JUDGED = ["fresh", "duplicate", "limited"] as const;

/** Arguments that the script takes for each event: limit a minute, window in ms, whether it can count, its time in ms. */
export const ARGUMENTS_OF_AN_EVENT = 4;

/**
 * Judges a batch as `judging.ts` does, in one call, so that events of all processes see each other. KEYS: for each event
 * the count of its address and the times of its visitor, ARGV as above. The times are the last event that counted and
 * the one before it: an event may come late, and is a duplicate of either. Answers an index into `JUDGED` for each.
 */
export const JUDGE = `
  local judged = {}
  for i = 1, #KEYS / 2 do
    local count, times = KEYS[2 * i - 1], KEYS[2 * i]
    local first = ${ARGUMENTS_OF_AN_EVENT} * (i - 1)
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
      local last, before = nil, nil
      local known = redis.call('GET', times)
      if known then
        last, before = string.match(known, '^(%-?%d+) ?(%-?%d*)$')
        last, before = tonumber(last), tonumber(before)
      end
      if (last and math.abs(at - last) < window) or (before and math.abs(at - before) < window) then
        verdict = 1
      else
        local kept = string.format('%.0f', at)
        if last then kept = kept .. ' ' .. string.format('%.0f', last) end
        redis.call('SET', times, kept, 'PX', 2 * window)
      end
    end
    judged[i] = verdict
  end
  return judged
`;
