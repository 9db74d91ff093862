import { LRUCache } from "lru-cache";
import type { PreparedSnapshot } from "./prepared-snapshot.ts";
import { type ReadyAnswer, readyAnswer } from "./ready-answer.ts";
import { rotate, type Turn, turnAt } from "./rotation.ts";
import type { ServingQuery } from "./serving-query.ts";

export interface ResponseCacheOptions {
  /** Keys the draw. The same in every process of an installation, so that all of them answer alike. */
  readonly secret: string;
  /** Answers kept at most. Default 20,000. */
  readonly maxEntries?: number;
  /** Memory that kept answers may take, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Told for each answer whether it was there. */
  readonly onLookup?: (isHit: boolean) => void;
}

/** An answer that holds until `ends`, in milliseconds. */
export interface TimedAnswer extends ReadyAnswer {
  readonly ends: number;
}

const BYTES_AROUND_AN_ENTRY = 400;

/** Answers to queries for ads, each made once for its workspace, version, turn and parameters. */
export class ResponseCache {
  readonly #secret: string;
  readonly #onLookup: (isHit: boolean) => void;
  readonly #answers: LRUCache<string, TimedAnswer>;
  readonly #turns = new WeakMap<PreparedSnapshot, Turn>();

  constructor(options: ResponseCacheOptions) {
    const { secret, maxEntries = 20_000, maxBytes = 64 * 1024 * 1024, onLookup = () => {} } = options;
    this.#secret = secret;
    this.#onLookup = onLookup;
    this.#answers = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ body }, key) => body.byteLength + 2 * key.length + BYTES_AROUND_AN_ENTRY,
    });
  }

  /** What the snapshot answers to the query at `now`. */
  answer(snapshot: PreparedSnapshot, query: ServingQuery, now: number): TimedAnswer {
    const turn = this.#turnOf(snapshot, now);
    // A version has one turn that begins at a given moment, so the beginning stands for window and eligibility.
    const key = `${snapshot.workspaceId}\n${snapshot.version}\n${turn.begins}\n${query.key}`;
    const known = this.#answers.get(key);
    this.#onLookup(known !== undefined);
    if (known !== undefined) return known;

    const ads = rotate(snapshot, turn, query, this.#secret);
    const ready = readyAnswer(`{"ads":[${ads.map(({ json }) => json).join(",")}]}`);
    const answer = { ...ready, ends: turn.ends };
    this.#answers.set(key, answer);
    return answer;
  }

  #turnOf(snapshot: PreparedSnapshot, now: number): Turn {
    const known = this.#turns.get(snapshot);
    // The beginning is asked too: a clock that was set back must not be answered from the future.
    if (known !== undefined && known.begins <= now && now < known.ends) return known;
    const turn = turnAt(snapshot, now);
    this.#turns.set(snapshot, turn);
    return turn;
  }
}
