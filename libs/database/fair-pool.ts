import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { RecentUse } from "#libs/async/index.ts";

const parties = new AsyncLocalStorage<string>();
/** As a pool of pg waits, and in its words. */
const CONNECTS_WITHIN_MS = 10_000;
const NO_CONNECTION = "timeout exceeded when trying to connect";

interface Waiting {
  readonly begin: () => void;
  readonly since: number;
}

/** Runs work whose queries wait for a connection as those of the party: behind its own, and in turn with those of others. */
export function asParty<T>(party: string, work: () => Promise<T>): Promise<T> {
  return parties.run(party, work);
}

/**
 * A part of a pool's connections, for work that strangers to each other may ask for without end. A connection goes to the party that has
 * held them for the least time lately, less what it has waited, however many queries of others wait. A party that holds some gets another
 * only while more are free than it holds: the long queries of one leave half to others, and those of two a quarter. The rest of the pool
 * is left to everybody else.
 */
export class FairPool implements PostgresPool {
  readonly options: object;
  readonly #pool: pg.Pool;
  readonly #most: number;
  readonly #waiting = new Map<string, readonly Waiting[]>();
  readonly #used = new RecentUse();
  /** How many connections each party holds, or is about to. */
  readonly #held = new Map<string, number>();

  constructor(pool: pg.Pool, most: number) {
    this.#pool = pool;
    this.#most = most;
    this.options = pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const party = parties.getStore() ?? "";
    await this.#turn(party);
    const begunAt = performance.now();
    try {
      const client = await this.#pool.connect();
      // The pool gives a client another one each time it hands it out.
      const { release } = client;
      client.release = (error) => {
        release.call(client, error);
        this.#used.add(party, performance.now() - begunAt);
        this.#leave(party);
      };
      return client;
    } catch (error) {
      this.#leave(party);
      throw error;
    }
  }

  /** Closes nothing: whoever opened the pool closes it. */
  async end(): Promise<void> {}

  async #turn(party: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { begin: resolve, since: performance.now() };
    this.#waiting.set(party, [...(this.#waiting.get(party) ?? []), one]);
    const giveUp = setTimeout(() => {
      this.#drop(party, one);
      reject(new Error(NO_CONNECTION));
    }, CONNECTS_WITHIN_MS);
    this.#fill();
    try {
      await promise;
    } finally {
      clearTimeout(giveUp);
    }
  }

  #leave(party: string): void {
    const held = this.#heldBy(party) - 1;
    if (held === 0) this.#held.delete(party);
    else this.#held.set(party, held);
    this.#fill();
  }

  #fill(): void {
    for (;;) {
      const free = this.#most - [...this.#held.values()].reduce((sum, held) => sum + held, 0);
      const ready = [...this.#waiting].flatMap(([one, [first]]) =>
        first === undefined || this.#heldBy(one) >= free ? [] : [[one, first.since] as const],
      );
      const party = this.#used.nextOf(ready);
      const next = party === undefined ? undefined : this.#waiting.get(party)?.[0];
      if (party === undefined || next === undefined) return;
      this.#drop(party, next);
      this.#held.set(party, this.#heldBy(party) + 1);
      next.begin();
    }
  }

  #heldBy(party: string): number {
    return this.#held.get(party) ?? 0;
  }

  #drop(party: string, one: Waiting): void {
    const others = (this.#waiting.get(party) ?? []).filter((each) => each !== one);
    if (others.length === 0) this.#waiting.delete(party);
    else this.#waiting.set(party, others);
  }
}
