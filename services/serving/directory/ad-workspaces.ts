import { LRUCache } from "lru-cache";
import { SingleFlight } from "#libs/async/index.ts";
import { unavailable } from "#libs/http/index.ts";
import type { AdsRead, SnapshotReader } from "./snapshot-reader.ts";

const MOST_KNOWN = 20_000;
const RETRY_AFTER_MS = 1_000;
const MOST_QUESTIONS = { maxKeys: 256, refusal: () => unavailable(RETRY_AFTER_MS) };

/** Knows which workspace an ad belongs to, which never changes. */
export class AdWorkspaces {
  readonly #reader: Pick<SnapshotReader, "workspacesOfAds">;
  readonly #known = new LRUCache<string, string>({ max: MOST_KNOWN });
  readonly #questions = new SingleFlight<AdsRead>(MOST_QUESTIONS);

  constructor(reader: Pick<SnapshotReader, "workspacesOfAds">) {
    this.#reader = reader;
  }

  /** The ads that exist, by workspace. Asks once for all that it does not know; `failure` is why some of those could not be read. */
  async group(adIds: readonly string[]) {
    const workspaces = new Map<string, string>();
    const asked: string[] = [];
    for (const adId of adIds) {
      const workspaceId = this.#known.get(adId);
      if (workspaceId === undefined) asked.push(adId);
      else workspaces.set(adId, workspaceId);
    }
    let failure: unknown = null;
    if (asked.length > 0) {
      const found = await this.#questions.run(asked.join(), () => this.#reader.workspacesOfAds(asked));
      failure = found.failure;
      for (const [adId, workspaceId] of found.workspaces) {
        workspaces.set(adId, workspaceId);
        this.#known.set(adId, workspaceId);
      }
    }
    const groups = new Map<string, string[]>();
    for (const [adId, workspaceId] of workspaces) {
      const group = groups.get(workspaceId);
      if (group === undefined) groups.set(workspaceId, [adId]);
      else group.push(adId);
    }
    return { groups, failure };
  }
}
