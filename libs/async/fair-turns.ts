import { setImmediate as nextRound } from "node:timers/promises";
import { RecentUse } from "./recent-use.ts";

/** The longest rest, because a piece may have waited for something else for most of its time. */
const LONGEST_REST_MS = 2_000;
/** A party whose pieces took less than this lately is light. */
const LIGHT_MS = 1_000;
/** The length of a party's pieces fades by half in this time, whatever follows: otherwise it could hide long pieces among short ones. */
const LENGTH_HALF_FORGOTTEN_MS = 300_000;

/** Runs a piece of work, and returns what hands over its result. Never rejects. */
type Piece = () => Promise<() => void>;

interface Waiting {
  readonly piece: Piece;
  readonly since: number;
}

interface Party {
  readonly waiting: Waiting[];
  /** Whether a piece of its work runs, or it rests after one. */
  isBusy: boolean;
}

/**
 * Runs one piece of work per party at a time, and of at most `places` parties. Next comes the party whose work has taken the least time
 * lately, less the time that it has waited: a party that asks for little does not wait behind many that ask for much. Parties that are
 * not light never take all of several places, because their pieces may take long. If there is a `rest`, which waits for some
 * milliseconds, a party rests after a piece while other work waits. Then all parties together use at most half of the event loop, and the
 * long pieces of one do not keep the short pieces of another waiting. Work that is alone never rests.
 */
export class FairTurns {
  readonly #places: number;
  readonly #rest: ((ms: number) => Promise<void>) | undefined;
  /** Parties that have work or rest. */
  readonly #parties = new Map<string, Party>();
  readonly #used = new RecentUse();
  /** How long a piece of a party takes, in milliseconds; 0 for one of which nothing is known. */
  readonly #lengths = new RecentUse(LENGTH_HALF_FORGOTTEN_MS);
  #atWork = 0;
  /** Parties at work that are not light. */
  #longAtWork = 0;

  constructor(places: number, rest?: (ms: number) => Promise<void>) {
    this.#places = places;
    this.#rest = rest;
  }

  /** The result of the work. */
  run<T>(party: string, work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const piece = async () => {
      try {
        const result = await work();
        return () => resolve(result);
      } catch (error) {
        return () => reject(error);
      }
    };
    const known = this.#parties.get(party);
    const one = { piece, since: performance.now() };
    if (known === undefined) this.#parties.set(party, { waiting: [one], isBusy: false });
    else known.waiting.push(one);
    this.#fill();
    return promise;
  }

  /** How much work of a party waits. */
  waitingOf(party: string): number {
    return this.#parties.get(party)?.waiting.length ?? 0;
  }

  /** How much work waits. */
  get waiting(): number {
    return [...this.#parties.values()].reduce((sum, { waiting }) => sum + waiting.length, 0);
  }

  #fill(): void {
    while (this.#atWork < this.#places) {
      const mayBeLong = this.#places === 1 || this.#longAtWork < this.#places - 1;
      const ready = [...this.#parties].flatMap(([one, party]) => {
        const since = party.waiting[0]?.since;
        const mayRun = !party.isBusy && (mayBeLong || this.#isLight(one));
        return mayRun && since !== undefined ? [[one, since] as const] : [];
      });
      const name = this.#used.nextOf(ready);
      const party = name === undefined ? undefined : this.#parties.get(name);
      const next = party?.waiting.shift();
      if (name === undefined || party === undefined || next === undefined) return;
      void this.#serve(name, party, next.piece);
    }
  }

  #isLight(name: string): boolean {
    return this.#lengths.of(name) < LIGHT_MS;
  }

  async #serve(name: string, party: Party, next: Piece): Promise<void> {
    const long = this.#isLight(name) ? 0 : 1;
    party.isBusy = true;
    this.#atWork += 1;
    this.#longAtWork += long;
    await nextRound();
    const begunAt = performance.now();
    const handOver = await next();
    const tookMs = performance.now() - begunAt;
    this.#used.add(name, tookMs);
    this.#lengths.raise(name, tookMs);
    this.#atWork -= 1;
    this.#longAtWork -= long;
    this.#fill();
    const parties = this.#parties.size;
    // This is asked before the result is handed over: the next piece of a caller that then asks for one is no other work.
    const isAlone = party.waiting.length === 0 && parties === 1;
    handOver();
    if (!isAlone) await this.#rest?.(Math.min(tookMs * (2 * parties - 1), LONGEST_REST_MS));
    party.isBusy = false;
    this.#parties.delete(name);
    if (party.waiting.length > 0) this.#parties.set(name, party);
    this.#fill();
  }
}
