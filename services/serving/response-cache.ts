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
}

/** The answer to a question, for one version of its workspace and one turn of the rotation. */
export interface TimedAnswer extends ReadyAnswer {
  readonly version: number;
  /** In milliseconds, included. */
  readonly begins: number;
  /** In milliseconds, not included. */
  readonly ends: number;
}

const BYTES_AROUND_AN_ENTRY = 400;
/** A longer question is answered and not kept: it would take the room of many that come again. */
const LONGEST_QUESTION = 1_024;

/**
 * Ready answers by the question as it was asked (path and query, unread), so that a known one costs a single look-up.
 * An answer of another version or turn is not an answer, and its place is taken by the next.
 */
export class ResponseCache {
  readonly #secret: string;
  readonly #answers: LRUCache<string, TimedAnswer>;
  readonly #turns = new WeakMap<PreparedSnapshot, Turn>();

  constructor(options: ResponseCacheOptions) {
    const { secret, maxEntries = 20_000, maxBytes = 64 * 1024 * 1024 } = options;
    this.#secret = secret;
    this.#answers = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ length }, question) => 2 * (length + question.length) + BYTES_AROUND_AN_ENTRY,
    });
  }

  /** The answer that is ready, or undefined. */
  known(question: string, version: number, now: number): TimedAnswer | undefined {
    const answer = this.#answers.get(question);
    // The beginning is asked too: a clock that was set back must not be answered from the future.
    const holds =
      answer !== undefined && answer.version === version && answer.begins <= now && now < answer.ends;
    return holds ? answer : undefined;
  }

  /** Makes the answer to the query, which is what `question` says, and keeps it. */
  make(question: string, snapshot: PreparedSnapshot, query: ServingQuery, now: number): TimedAnswer {
    const turn = this.#turnOf(snapshot, now);
    const ads = rotate(snapshot, turn, query, this.#secret);
    const ready = readyAnswer(`{"ads":[${ads.map(({ json }) => json).join(",")}]}`);
    const answer = { ...ready, version: snapshot.version, begins: turn.begins, ends: turn.ends };
    if (question.length <= LONGEST_QUESTION) this.#answers.set(question, answer);
    return answer;
  }

  #turnOf(snapshot: PreparedSnapshot, now: number): Turn {
    const known = this.#turns.get(snapshot);
    if (known !== undefined && known.begins <= now && now < known.ends) return known;
    const turn = turnAt(snapshot, now);
    this.#turns.set(snapshot, turn);
    return turn;
  }
}
