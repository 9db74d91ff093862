import { defineScript } from "#libs/redis/index.ts";

/** What `JUDGE` answers for each event, by its digit. A `3` is a duplicate that waits for the end of an open batch. */
export const JUDGED = ["fresh", "duplicate", "limited", "duplicate"] as const;
export const WAITS = "3";

/** What the error of a batch begins with that is not judged under its id. */
export const REFUSED = "REFUSED";

/** In place of a batch's answers, once a call timed out: a later `JUDGE` leaves the batch closed (settled) or is refused (abandoned). */
const SETTLED = "settled";
const ABANDONED = "abandoned";
/** Before the id of a durable batch among the open ones. Others look for the id alone, and so do not wait for it. */
const DURABLE = "+";
/** How long a batch is remembered that is neither confirmed nor dropped. */
const REMEMBERED_MS = 86_400_000;
/** Marks and counts of late events, and of events of any time, live this long at least: another process may judge its events later. */
const LATE_MS = 600_000;
/** Marks that a visitor has for such events. The script reads all of them for each event of the visitor. */
const MOST_LATE_MARKS = 64;

/** Keys before those of the events. */
const KEYS_OF_A_BATCH = 3;
/** Keys of each event: the count of its address, and the times of its visitor. */
const KEYS_OF_AN_EVENT = 2;
/** Arguments of `JUDGE` before those of the events, and for each event: limit a minute, window in ms, whether it can count, its time in ms. */
const ARGUMENTS_OF_A_BATCH = 4;
const ARGUMENTS_OF_AN_EVENT = 4;

/**
 * What `JUDGE` and `DROP` begin with. KEYS: the batches that are open and those that were dropped, both by the time until
 * which that has to be known; the answers of this batch; then those of each event. ARGV: the batch's id, for how many ms to
 * know it, `durable` or not; then their own.
 *
 * The times of a visitor are the last event that counted and the one before it, since an event may come late and is a
 * duplicate of either; each as time and batch, `1795262430000:Xq3-1a`. Those of batches that are late or of any time follow after a `|`, the last one first.
 *
 * The answers are a digit for each event, then the batch that each `3` waits for: `00312 Xq3-1a`.
 */
const BEGINNING = `
  local open, dropped, answers, batch, known = KEYS[1], KEYS[2], KEYS[3], ARGV[1], tonumber(ARGV[2])
  local durable = ARGV[3] == 'durable'
  local name = (durable and '${DURABLE}' or '') .. batch
  local clock = redis.call('TIME')
  local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
  local function note(batches, member)
    -- First: a full Redis refuses only what comes before a script's first write, and so refuses all of it or nothing.
    redis.call('ZADD', batches, string.format('%.0f', now + known), member)
    redis.call('ZREMRANGEBYSCORE', batches, '-inf', now)
    redis.call('PEXPIRE', batches, known)
  end
`;

/**
 * Judges a batch as `judging.ts` does, in one call, so that events of all processes see each other. ARGV: `late`, `any time` or
 * neither.
 * Answers as above. A batch that was judged before gets the same answers; those that waited get their end, if there is one.
 */
export const JUDGE = defineScript(`${BEGINNING}
  local late, lasting = ARGV[4] == 'late', ARGV[4] ~= ''
  local size = (#KEYS - ${KEYS_OF_A_BATCH}) / ${KEYS_OF_AN_EVENT}
  local before, digits, ids = redis.call('GET', answers), nil, nil
  -- The process gave this call up, while it waited for a server that did not answer.
  if before == '${ABANDONED}' then
    -- Late events are then judged under another id, each time.
    if late then redis.call('PEXPIRE', answers, ${REMEMBERED_MS}) end
    return redis.error_reply('${REFUSED} the batch was abandoned')
  end
  if before and before ~= '${SETTLED}' then
    digits, ids = string.match(before, '^(%d*)(.*)$')
    if #digits ~= size then return redis.error_reply('${REFUSED} the batch was judged with other events') end
  end
  -- A durable batch is noted at each call, so that it can be undone if another part of it is refused.
  if durable or not before then
    note(open, name)
    redis.call('ZREM', dropped, batch)
    if durable then redis.call('ZREM', open, batch) end
  end
  if ids == '' then return before end
  local waited = ids and string.gmatch(ids, '%S+')

  local states = { [''] = 'stored', [batch] = 'stored' }
  local function isOpen(other)
    local till = redis.call('ZSCORE', open, other)
    -- A durable batch waits half as long for a process that died: those behind it in its queue then still find the marks of what
    -- other processes have judged in time.
    return till and till - now >= (durable and known / 2 or 0)
  end
  local function stateOf(other)
    if not states[other] then
      states[other] = redis.call('ZSCORE', dropped, other) and 'dropped' or isOpen(other) and 'open' or 'stored'
    end
    return states[other]
  end
  local judged, waits = {}, {}
  -- What has a mark of this batch from this call. One from an earlier call, whose answers a full Redis has evicted, makes no
  -- duplicate: the event would be one of itself.
  local marked = {}
  local function isOriginal(times, other)
    return other ~= batch or digits or marked[times]
  end

  local function isLimited(count, limit, at)
    -- One command for most events, which are the first of their minute.
    if not lasting and redis.call('SET', count, 1, 'EX', 120, 'NX') then return false end
    local taken = redis.call('INCR', count)
    if lasting then redis.call('PEXPIRE', count, string.format('%.0f', 120000 + math.max(now - at, ${LATE_MS})))
    -- The minute, and one more for events that come late.
    elseif taken == 1 then redis.call('EXPIRE', count, 120) end
    if taken <= limit then return false end
    -- What is refused takes nothing, so that a limit that is raised leaves room.
    redis.call('DECR', count)
    return true
  end

  local function duplicateOf(other)
    if stateOf(other) ~= 'open' then return '1' end
    waits[#waits + 1] = other
    return '${WAITS}'
  end

  -- The digit of a countable event; marks its visitor if it is fresh.
  local function judgeVisitor(times, window, at, mark)
    -- One command for most events, whose visitor is new. The mark lasts as long as a batch can be open: what other processes have
    -- kept may wait for one before it is judged.
    if not lasting and redis.call('SET', times, mark, 'PX', known, 'NX') then
      marked[times] = true
      return '0'
    end
    local value = redis.call('GET', times) or ''
    local bar = string.find(value, '|', 1, true)
    local usual, lates = value, ''
    if bar then usual, lates = string.sub(value, 1, bar - 1), string.sub(value, bar + 1) end
    local last, lateMarks = nil, 0
    for whole, markAt, markBatch in string.gmatch(usual, '((%-?%d+):?(%S*))') do
      if math.abs(at - tonumber(markAt)) < window and isOriginal(times, markBatch) then return duplicateOf(markBatch) end
      last = last or whole
    end
    for markAt, markBatch in string.gmatch(lates, '(%-?%d+):(%S+)') do
      if math.abs(at - tonumber(markAt)) < window and isOriginal(times, markBatch) then return duplicateOf(markBatch) end
      lateMarks = lateMarks + 1
    end
    local life, left = known, bar and redis.call('PTTL', times) or 0
    if lasting then
      life = life + math.max(now - at, ${LATE_MS})
      if lateMarks == ${MOST_LATE_MARKS} then lates = string.match(lates, '^(.*) ') end
      lates = lates == '' and mark or mark .. ' ' .. lates
    else
      usual = mark
      if last then usual = usual .. ' ' .. last end
      -- Those of late events last no longer for a visitor who stays.
      if left <= life then lates = '' end
    end
    if lates ~= '' then usual = usual .. '|' .. lates end
    redis.call('SET', times, usual, 'PX', string.format('%.0f', math.max(life, left)))
    marked[times] = true
    return '0'
  end

  for i = 1, size do
    local count, times = KEYS[2 * i + 2], KEYS[2 * i + 3]
    local first = ${ARGUMENTS_OF_A_BATCH} + ${ARGUMENTS_OF_AN_EVENT} * (i - 1)
    local limit, window = tonumber(ARGV[first + 1]), tonumber(ARGV[first + 2])
    local countable, at = ARGV[first + 3] == '1', tonumber(ARGV[first + 4])
    local mark = ARGV[first + 4] .. ':' .. batch
    local digit = digits and string.sub(digits, i, i)
    if not digit then
      digit = '0'
      if limit > 0 and isLimited(count, limit, at) then digit = '2'
      elseif countable and window > 0 then digit = judgeVisitor(times, window, at, mark) end
    elseif digit == '${WAITS}' then
      local original = waited()
      local state = stateOf(original)
      if state == 'open' then waits[#waits + 1] = original
      elseif state == 'stored' then digit = '1'
      else digit = judgeVisitor(times, window, at, mark) end
    end
    judged[i] = digit
  end
  table.insert(waits, 1, table.concat(judged))
  local said = table.concat(waits, ' ')
  redis.call('SET', answers, said, 'PX', ${REMEMBERED_MS})
  return said
`);

/** Ends an open batch whose events are durable. ARGV: for how many ms to remember it longer. */
export const CONFIRM = defineScript(`
  redis.call('ZREM', KEYS[1], ARGV[1], '${DURABLE}' .. ARGV[1])
  if ARGV[2] == '0' then redis.call('DEL', KEYS[3]) else redis.call('PEXPIRE', KEYS[3], ARGV[2]) end
  return 1
`);

/** Ends an open batch, or keeps a later `JUDGE` of it from opening it. Its answers stay for one that asks again. */
export const SETTLE = defineScript(`
  redis.call('ZREM', KEYS[1], ARGV[1])
  redis.call('SET', KEYS[3], '${SETTLED}', 'PX', ${REMEMBERED_MS}, 'NX')
  return 1
`);

/**
 * Undoes what `JUDGE` did for a batch that is open, or keeps a later `JUDGE` of it from doing anything. ARGV of each event:
 * 1 if it has a limit. A durable batch is undone only by a durable drop, not by an attempt before it that failed.
 */
export const DROP = defineScript(`${BEGINNING}
  local digits = redis.call('GET', answers)
  if not digits or digits == '${ABANDONED}' then
    redis.call('SET', answers, '${ABANDONED}', 'PX', known)
    return 0
  end
  if not redis.call('ZSCORE', open, name) then return 0 end
  -- A write that a full Redis takes, so that it takes the others, which make room.
  redis.call('ZREMRANGEBYSCORE', dropped, '-inf', now)
  note(dropped, batch)
  -- The marks of a visitor, but for those of this batch.
  local function without(marks)
    local parts = {}
    for part in string.gmatch(marks .. '|', '([^|]*)|') do
      local kept = {}
      for mark, markBatch in string.gmatch(part, '(%-?%d+:?(%S*))') do
        if markBatch ~= batch then kept[#kept + 1] = mark end
      end
      parts[#parts + 1] = table.concat(kept, ' ')
    end
    return table.concat(parts, '|')
  end
  for i = 1, (#KEYS - ${KEYS_OF_A_BATCH}) / ${KEYS_OF_AN_EVENT} do
    local count, times = KEYS[2 * i + 2], KEYS[2 * i + 3]
    local took = ARGV[3 + i] == '1' and string.sub(digits, i, i) ~= '2'
    if took and tonumber(redis.call('GET', count) or '0') > 0 then redis.call('DECR', count) end
    local value = redis.call('GET', times)
    if value then
      local kept = without(value)
      if kept == '' or kept == '|' then redis.call('DEL', times)
      elseif kept ~= value then redis.call('SET', times, kept, 'PX', math.max(1, redis.call('PTTL', times))) end
    end
  end
  redis.call('DEL', answers)
  redis.call('ZREM', open, name)
  return 1
`);

/** The state of the batch: 'open', 'dropped' or 'stored'. */
export const STATE = defineScript(`
  if redis.call('ZSCORE', KEYS[2], ARGV[1]) then return 'dropped' end
  return redis.call('ZSCORE', KEYS[1], ARGV[1]) and 'open' or 'stored'
`);
