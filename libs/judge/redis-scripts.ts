import { defineScript } from "#libs/redis/index.ts";

/** How long the answers to a list of events are remembered, in milliseconds. */
const REMEMBERED_MS = 86_400_000;

/** Events in a character of an answer. */
const EVENTS_IN_A_CHARACTER = 6;
/** The character of six fresh events. The last one is `o`. */
const ALL_FRESH = "0".charCodeAt(0);

/*
 * Both scripts judge some events of a list and answer with a bit of each, six in a character: 1 for those that are not fresh. So a
 * flood of duplicates fills no more memory than other events. KEYS[1] has the answers. The same call again gives them again and
 * changes nothing: a script runs as a whole, or not at all.
 */

const BEGINNING = (events: string) => `
  local answers = KEYS[1]
  local known = redis.call('GET', answers)
  if known then return known end
  local bits = {}
  for i = 1, math.ceil(${events} / ${EVENTS_IN_A_CHARACTER}) do bits[i] = ${ALL_FRESH} end
  local function find(i)
    local at = math.floor((i - 1) / ${EVENTS_IN_A_CHARACTER})
    bits[at + 1] = bits[at + 1] + 2 ^ (i - 1 - at * ${EVENTS_IN_A_CHARACTER})
  end`;

const END = `
  local said = string.char(unpack(bits))
  redis.call('SET', answers, said, 'PX', ${REMEMBERED_MS})
  return said`;

/** The numbers, from 0, of the events that an answer names as not fresh. */
export function foundIn(answer: string): number[] {
  const found: number[] = [];
  for (let at = 0; at < answer.length; at += 1) {
    const bits = answer.charCodeAt(at) - ALL_FRESH;
    for (let bit = 0; bit < EVENTS_IN_A_CHARACTER; bit += 1)
      if ((bits >> bit) % 2 === 1) found.push(at * EVENTS_IN_A_CHARACTER + bit);
  }
  return found;
}

/** Takes one from the limit of each event. KEYS: the limit of each. ARGV of each: the limit, and how long its count lives in ms. */
export const TAKE = defineScript(`${BEGINNING("(#KEYS - 1)")}
  for i = 1, #KEYS - 1 do
    local count = KEYS[i + 1]
    -- One command for most events, which are the first of their minute.
    if not redis.call('SET', count, 1, 'PX', ARGV[2 * i], 'NX') then
      if redis.call('INCR', count) > tonumber(ARGV[2 * i - 1]) then
        -- What is refused takes nothing, so that a limit that is raised leaves room.
        redis.call('DECR', count)
        find(i)
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
export const MARK = defineScript(`${BEGINNING("((#KEYS - 1) / 4)")}
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
      find(i)
    else
      redis.call('SET', own, at, 'PX', lives)
      if alias ~= own then redis.call('SET', alias, at, 'PX', lives) end
    end
  end${END}
`);
