import { AsyncLocalStorage } from "node:async_hooks";
import type { PostgresPool, PostgresPoolClient } from "kysely";
import type pg from "pg";
import { RecentUse } from "#libs/async/index.ts";

const parties = new AsyncLocalStorage<string>();

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
  readonly #waiting = new Map<string, { readonly begin: () => void; readonly since: number }[]>();
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

  /** The pool is closed by whoever opened it. */
  async end(): Promise<void> {}

  async #turn(party: string): Promise<void> {
    if (this.#taken < this.#most) {
      this.#taken += 1;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = this.#waiting.get(party);
    const one = { begin: resolve, since: performance.now() };
    if (own === undefined) this.#waiting.set(party, [one]);
    else own.push(one);
    await promise;
  }

  #next(): void {
    const waiting = [...this.#waiting].map(([one, [first]]) => [one, first?.since ?? 0] as const);
    const party = this.#used.nextOf(waiting);
    const own = party === undefined ? undefined : this.#waiting.get(party);
    const next = own?.shift();
    if (party !== undefined && own?.length === 0) this.#waiting.delete(party);
    if (next === undefined) this.#taken -= 1;
    else next.begin();
  }
}
