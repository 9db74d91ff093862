import { setImmediate } from "node:timers/promises";
import { invalidRequest } from "./api-error.ts";
import type { Engine, QueuedEvent } from "./engine.ts";
import { processDue } from "./process-due.ts";

/** What happened while the clock was advanced. */
export interface Advance {
  /** The sandbox's time afterwards, in seconds. */
  readonly now: number;
  /** False when there was too much to do: the clock stopped at that point and can be advanced further. */
  readonly arrived: boolean;
  /** How often each type of event happened. */
  readonly counts: Readonly<Record<string, number>>;
  /** The first of the events. */
  readonly events: readonly QueuedEvent[];
}

/** The sandbox's clock; it only goes forward. */
export interface Clock {
  /** Advances the clock and processes what becomes due. Throws `ApiError` 400 for a step that is too long. */
  advance(seconds: number): Promise<Advance>;
}

const DAY = 86_400;
const LONGEST_STEP = 1096 * DAY;
/** How far the clock may be ahead of the machine's, in seconds. */
const FARTHEST = 36_525 * DAY;
/** Transactions per step, each of some dozens of changes. */
const MOST_ROUNDS = 50;
const MOST_LISTED = 200;
/** Stripe's name for the news that a clock has moved and everything due has happened. It comes after the events of that. */
const MOVED = "test_helpers.test_clock.ready";

/** The engine's clock. Concurrent steps run one after the other, each in at most `mostRounds` transactions. */
export function createClock(engine: Engine, mostRounds = MOST_ROUNDS): Clock {
  let last: Promise<unknown> = Promise.resolve();

  async function advance(seconds: number): Promise<Advance> {
    if (!Number.isSafeInteger(seconds) || seconds < 1 || seconds > LONGEST_STEP) {
      throw invalidRequest("The clock goes forward by 1 second to 1096 days at a time.", "seconds");
    }
    if (engine.state.clockOffset() + seconds > FARTHEST) {
      throw invalidRequest("The clock cannot be more than a hundred years ahead.", "seconds");
    }
    const counts: Record<string, number> = {};
    const events: QueuedEvent[] = [];
    const stop = engine.onEvent((event) => {
      if (event.type === MOVED) return;
      counts[event.type] = (counts[event.type] ?? 0) + 1;
      if (events.length < MOST_LISTED) events.push(event);
    });
    try {
      const arrived = await move(engine, seconds, mostRounds);
      return { now: engine.now(), arrived, counts, events };
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

function announce(engine: Engine): void {
  const clock = {
    id: "clock_sandbox",
    object: "test_helpers.test_clock",
    frozen_time: engine.now(),
    status: "ready",
  };
  engine.emit(MOVED, clock);
}

/** Moves from one due time to the next, so that a concurrent reader sees a clock that matches what has happened. */
async function move(engine: Engine, seconds: number, mostRounds: number): Promise<boolean> {
  const { state } = engine;
  let left = seconds;
  for (let round = 0; round < mostRounds; round++) {
    const from = engine.now();
    const arrived = engine.write(() => {
      state.setClockOffset(state.clockOffset() + left);
      if (processDue(engine)) {
        announce(engine);
        return true;
      }
      const reached = Math.max(from, state.store.nextDue(engine.now())?.at ?? from);
      const ahead = engine.now() - reached;
      state.setClockOffset(state.clockOffset() - ahead);
      left = ahead;
      if (round === mostRounds - 1) announce(engine);
      return false;
    });
    if (arrived) return true;
    await setImmediate();
  }
  return false;
}
