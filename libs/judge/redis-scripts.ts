import { defineScript } from "#libs/redis/index.ts";

/** How long the answers to a list of events are remembered, in milliseconds. */
const REMEMBERED_MS = 86_400_000;

/*
 * Both scripts judge some events of a list and answer with the numbers of those that are not fresh, from 1, with commas between
 * them. KEYS[1] has the answers. The same call again gives them again and changes nothing: a script runs as a whole, or not at all.
 */

const BEGINNING = `
  local answers = KEYS[1]
  local known = redis.call('GET', answers)
  if known then return known end
  local found = {}`;

const END = `
  local said = table.concat(found, ',')
  redis.call('SET', answers, said, 'PX', ${REMEMBERED_MS})
  return said`;

/** Takes one from the limit of each event. KEYS: the limit of each. ARGV of each: the limit, and how long its count lives in ms. */
export const TAKE = defineScript(`${BEGINNING}
  for i = 1, #KEYS - 1 do
    local count = KEYS[i + 1]
    -- One command for most events, which are the first of their minute.
    if not redis.call('SET', count, 1, 'PX', ARGV[2 * i], 'NX') then
      if redis.call('INCR', count) > tonumber(ARGV[2 * i - 1]) then
        -- What is refused takes nothing, so that a limit that is raised leaves room.
        redis.call('DECR', count)
        found[#found + 1] = i
      end
    end
  end${END}
`);

/** In place of the window of an event that is known to be a duplicate. */
export const KNOWN = -1;

/**
 * Finds duplicates and marks the others. KEYS of each event: its mark's place, those before and behind it, and its alias, which is its
 * own place where there is none. ARGV of each: when it occurred, its window, and how long its mark lives, all in ms.
 */
export const MARK = defineScript(`${BEGINNING}
  for i = 1, (#KEYS - 1) / 4 do
    local own, before, behind, alias = KEYS[4 * i - 2], KEYS[4 * i - 1], KEYS[4 * i], KEYS[4 * i + 1]
    local at, window, lives = ARGV[3 * i - 2], tonumber(ARGV[3 * i - 1]), ARGV[3 * i]
    local isDuplicate = window == ${KNOWN}
    if not isDuplicate then
      for _, marked in ipairs({ redis.call('GET', own), redis.call('GET', before), redis.call('GET', behind) }) do
        isDuplicate = isDuplicate or marked and math.abs(tonumber(at) - tonumber(marked)) < window
      end
    end
    if isDuplicate then
      found[#found + 1] = i
    else
      redis.call('SET', own, at, 'PX', lives)
      if alias ~= own then redis.call('SET', alias, at, 'PX', lives) end
    end
  end${END}
`);
