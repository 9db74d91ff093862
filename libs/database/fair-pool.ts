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
 * held them for the least time lately, less what it has waited, however many queries of others wait. The rest of the pool is left to everybody else.
 */
export class FairPool implements PostgresPool {
  readonly options: object;
  readonly #pool: pg.Pool;
  readonly #most: number;
  readonly #waiting = new Map<string, readonly Waiting[]>();
  readonly #used = new RecentUse();
  #taken = 0;

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
        this.#next();
      };
      return client;
    } catch (error) {
      this.#next();
      throw error;
    }
  }

  /** Closes nothing: whoever opened the pool closes it. */
  async end(): Promise<void> {}

  async #turn(party: string): Promise<void> {
    if (this.#taken < this.#most) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const one = { begin: resolve, since: performance.now() };
    this.#waiting.set(party, [...(this.#waiting.get(party) ?? []), one]);
    const giveUp = setTimeout(() => {
      this.#leave(party, one);
      reject(new Error(NO_CONNECTION));
    }, CONNECTS_WITHIN_MS);
    try {
      await promise;
    } finally {
      clearTimeout(giveUp);
    }
  }

  #next(): void {
    const waiting = [...this.#waiting].map(([one, [first]]) => [one, first?.since ?? 0] as const);
    const party = this.#used.nextOf(waiting);
    const next = party === undefined ? undefined : this.#waiting.get(party)?.[0];
    if (party !== undefined && next !== undefined) this.#leave(party, next);
    if (next === undefined) this.#taken -= 1;
    else next.begin();
  }

  #leave(party: string, one: Waiting): void {
    const others = (this.#waiting.get(party) ?? []).filter((each) => each !== one);
    if (others.length === 0) this.#waiting.delete(party);
    else this.#waiting.set(party, others);
  }
}
