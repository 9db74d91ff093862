import { setImmediate } from "node:timers/promises";
import { invalidRequest } from "./api-error.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import type { QueuedEvent, World } from "./world.ts";

/** What came to pass while the clock was moved. */
export interface Advance {
  /** The sandbox's time after it, in seconds. */
  readonly now: number;
  /** False when there was too much to do: the clock stands where that was met, and can be moved on. */
  readonly arrived: boolean;
  /** How often each type of event happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of the events. */
  readonly events: readonly QueuedEvent[];
}

/** The sandbox's clock; it only goes forward. */
export interface Clock {
  /** Moves it and does what becomes due. Throws `ApiError` 400 for a step that is too far. */
  advance(seconds: number): Promise<Advance>;
}

const DAY = 86_400;
const LONGEST_STEP = 1096 * DAY;
/** The clock's distance from the machine's: beyond it, calendars and certificates have little to say. */
const FARTHEST = 36_525 * DAY;
/** Transactions in one step, each of some dozens of changes. */
const MOST_ROUNDS = 50;
const MOST_LISTED = 200;

/**
 * A clock of the world; steps that are asked for at the same time are made one after the other, each in at most
 * `mostRounds` transactions.
 */
export function createClock(world: World, mostRounds = MOST_ROUNDS): Clock {
  let last: Promise<unknown> = Promise.resolve();

  async function advance(seconds: number): Promise<Advance> {
    const { state } = world;
    if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > LONGEST_STEP) {
      throw invalidRequest("The clock goes forward by 1 second to 1096 days at a time.", "seconds");
    }
    if (state.clockOffset() + seconds > FARTHEST) {
      throw invalidRequest("The clock is a hundred years ahead, which is enough.", "seconds");
    }
    const counts: Record<string, number> = {};
    const events: QueuedEvent[] = [];
    const stop = world.onEvent((event) => {
      counts[event.type] = (counts[event.type] ?? 0) + 1;
      if (events.length < MOST_LISTED) events.push(event);
    });
    try {
      const arrived = await move(world, seconds, mostRounds);
      return { now: world.now(), arrived, counts, events };
    } finally {
      stop();
    }
  }

  return {
    advance: (seconds) => {
      const step = last.then(() => advance(seconds));
      last = step.catch(() => undefined);
      return step;
    },
  };
}

/** Goes to each thing that is due in turn, so that whoever looks in between sees a clock that fits what has happened. */
async function move(world: World, seconds: number, mostRounds: number): Promise<boolean> {
  const { state } = world;
  let left = seconds;
  for (let round = 0; round < mostRounds; round++) {
    const from = world.now();
    const arrived = world.write(() => {
      state.setClockOffset(state.clockOffset() + left);
      if (settleWhatIsDue(world)) return true;
      const reached = Math.max(from, state.records.nextDue(world.now())?.at ?? from);
      const ahead = world.now() - reached;
      state.setClockOffset(state.clockOffset() - ahead);
      left = ahead;
      return false;
    });
    if (arrived) return true;
    await setImmediate();
  }
  return false;
}
