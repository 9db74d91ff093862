import { createHash } from "node:crypto";
import { defineScript } from "#libs/redis/index.ts";
import type { JudgedRange } from "./port.ts";

/** How long the answers about the last range of an origin are remembered, in milliseconds. */
const REMEMBERED_MS = 86_400_000;
/** Digits of an offset, which has 63 bits. */
const OFFSET_LENGTH = 19;
/** Characters of the hash that stands for a range's name. */
const NAME_LENGTH = 16;
const LABEL_LENGTH = OFFSET_LENGTH + NAME_LENGTH;

/** Events in a character of an answer. */
const EVENTS_IN_A_CHARACTER = 6;
/** The character of six fresh events. The last one is `o`. */
const ALL_FRESH = "0".charCodeAt(0);

/*
 * Both scripts judge some events of a range and answer with a bit of each, six in a character: 1 for those that are not fresh. So a
 * flood of duplicates fills no more memory than other events. The same call again gets the same answers and changes nothing: a script
 * runs as a whole, or not at all.
 *
 * KEYS[1] has the answers about the origin's last range, behind the label of that range, which is ARGV[1]. Those of the next range
 * replace them, as it begins when the last one is stored; so the memory grows with partitions, not with ranges. KEYS[2] has the same for
 * ranges before the last one. They come from a reader that has lost its partition without knowing it, whose rows the store ignores, or
 * from one that reads the log again from its beginning, and has to go on: so they are judged as well, and leave the last one alone.
 */

const BEGINNING = (events: string) => `
  local label, answers = ARGV[1], KEYS[1]
  local known = redis.call('GET', answers)
  if known and string.sub(known, 1, ${OFFSET_LENGTH}) > string.sub(label, 1, ${OFFSET_LENGTH}) then
    answers = KEYS[2]
    known = redis.call('GET', answers)
  end
  if known and string.sub(known, 1, ${LABEL_LENGTH}) == label then return string.sub(known, ${LABEL_LENGTH + 1}) end
  local bits = {}
  for i = 1, math.ceil(${events} / ${EVENTS_IN_A_CHARACTER}) do bits[i] = ${ALL_FRESH} end
  local function find(i)
    local at = math.floor((i - 1) / ${EVENTS_IN_A_CHARACTER})
    bits[at + 1] = bits[at + 1] + 2 ^ (i - 1 - at * ${EVENTS_IN_A_CHARACTER})
  end`;

const END = `
  local said = string.char(unpack(bits))
  redis.call('SET', answers, label .. said, 'PX', ${REMEMBERED_MS})
  return said`;

/** What the answers about a range are kept behind: it tells ranges apart, and which of an origin's is later. */
export function labelOf({ first, name }: JudgedRange): string {
  return `${String(first).padStart(OFFSET_LENGTH, "0")}${shortened(name)}`;
}

/** Stands for a text in keys and labels. */
export function shortened(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, NAME_LENGTH);
}

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
export const TAKE = defineScript(`${BEGINNING("(#KEYS - 2)")}
  for i = 1, #KEYS - 2 do
    local count = KEYS[i + 2]
    -- One command for most events, which are the first of their minute.
    if not redis.call('SET', count, 1, 'PX', ARGV[2 * i + 1], 'NX') then
      if redis.call('INCR', count) > tonumber(ARGV[2 * i]) then
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
export const MARK = defineScript(`${BEGINNING("((#KEYS - 2) / 4)")}
  for i = 1, (#KEYS - 2) / 4 do
    local own, before, behind, alias = KEYS[4 * i - 1], KEYS[4 * i], KEYS[4 * i + 1], KEYS[4 * i + 2]
    local at, window, lives = ARGV[3 * i - 1], tonumber(ARGV[3 * i]), ARGV[3 * i + 1]
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
