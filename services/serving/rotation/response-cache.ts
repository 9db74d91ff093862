import { LRUCache } from "lru-cache";
import type { Proofs } from "../answers/proofs.ts";
import { createEtag, createRawAnswer, type RawAnswer } from "../answers/raw-answer.ts";
import { costOfReading } from "../directory/packed-snapshot.ts";
import { measureAd, type PreparedAd, type PreparedSnapshot } from "../directory/prepared-snapshot.ts";
import { periodAt, type RotationPeriod, rotate } from "./rotation.ts";
import type { ServingQuery } from "./serving-query.ts";

export interface ResponseCacheOptions {
  /** Keys the draw. The same in every process of an installation, so that all of them give the same answers. */
  readonly secret: string;
  readonly proofs: Proofs;
  /** Answers at most. Default 20,000. */
  readonly maxEntries?: number;
  /** Memory for answers, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
}

/** The answer to a URL, for one version of its workspace and one period of the rotation. */
export interface TimedAnswer extends RawAnswer {
  readonly version: number;
  /** In milliseconds, included. */
  readonly starts: number;
  /** In milliseconds, excluded. */
  readonly ends: number;
}

/** An answer whose ads are chosen, and which is written only for callers that do not have it. */
export interface ChosenAnswer extends Pick<TimedAnswer, "etag" | "ends"> {
  /** What writing the answer costs: its approximate length, and more where its ads have to be decompressed. */
  readonly bytes: number;
  /** Writes the answer, and caches it. */
  write(): TimedAnswer;
}

const BYTES_AROUND_AN_ENTRY = 400;
/** Answers to longer URLs are not cached: one would take the room of many that are asked for again. */
const LONGEST_URL = 1_024;

/**
 * Answers by their URL (path and query, not parsed), so that a cached one costs a single lookup. An answer of another
 * version or period is ignored, and replaced by the next.
 */
export class ResponseCache {
  readonly #secret: string;
  readonly #proofs: Proofs;
  readonly #answers: LRUCache<string, TimedAnswer>;
  readonly #periods = new WeakMap<PreparedSnapshot, RotationPeriod>();

  constructor(options: ResponseCacheOptions) {
    const { secret, proofs, maxEntries = 20_000, maxBytes = 64 * 1024 * 1024 } = options;
    this.#secret = secret;
    this.#proofs = proofs;
    this.#answers = new LRUCache({
      max: maxEntries,
      maxSize: maxBytes,
      sizeCalculation: ({ length }, url) => 2 * (length + url.length) + BYTES_AROUND_AN_ENTRY,
    });
  }

  get(url: string, version: number, now: number): TimedAnswer | undefined {
    const answer = this.#answers.get(url);
    return answer?.version === version && covers(answer, now) ? answer : undefined;
  }

  /** Chooses the ads that answer the query of `url`. */
  choose(url: string, snapshot: PreparedSnapshot, query: ServingQuery, now: number): ChosenAnswer {
    const period = this.#periodOf(snapshot, now);
    const chosen = rotate(snapshot, period, query, this.#secret);
    // A proof is made of the window and of what the digests tell apart.
    const content = [query.withProof ? period.window : "", ...chosen.map((ad) => measureAd(ad).digest)];
    const etag = createEtag(content.join("\n"));
    return {
      etag,
      ends: period.ends,
      bytes: chosen.reduce((sum, ad) => sum + measureAd(ad).bytes + costOfReading(ad), 0),
      write: () => {
        const toJson = query.withProof
          ? (ad: PreparedAd) => this.#withProof(ad, snapshot, period)
          : ({ json }: PreparedAd) => json;
        const { version } = snapshot;
        const json = `{"ads":[${chosen.map(toJson).join(",")}]}`;
        const answer = { ...createRawAnswer(json, etag), version, starts: period.starts, ends: period.ends };
        if (url.length <= LONGEST_URL) this.#answers.set(url, answer);
        return answer;
      },
    };
  }

  #withProof(
    { id, json }: PreparedAd,
    { workspaceId }: PreparedSnapshot,
    { window }: RotationPeriod,
  ): string {
    return `${json.slice(0, -1)},"proof":"${this.#proofs.of({ id, workspaceId }, window)}"}`;
  }

  #periodOf(snapshot: PreparedSnapshot, now: number): RotationPeriod {
    const last = this.#periods.get(snapshot);
    if (last !== undefined && covers(last, now)) return last;
    const period = periodAt(snapshot, now);
    this.#periods.set(snapshot, period);
    return period;
  }
}

/** Checks the start too: after a clock was set back, nothing of the future may be served. */
function covers({ starts, ends }: Pick<RotationPeriod, "starts" | "ends">, now: number): boolean {
  return starts <= now && now < ends;
}
