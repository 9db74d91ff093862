import { LRUCache } from "lru-cache";
import { statsWindow } from "#libs/domain/stats-window.ts";
import { within } from "#libs/http/index.ts";
import type { AudienceCount, StatsStore } from "#libs/stats-store/index.ts";
import type { Services } from "../services.ts";
import { isAudiencePublic } from "./queries.ts";

/** What a publisher shows of the last 30 days to whoever thinks of buying. */
export interface Audience extends AudienceCount {
  readonly days: 30;
}

const DAYS = 30;
const KEPT_MS = 5 * 60_000;
/** After a failure, so that a store in trouble is not asked by every visitor. */
const KEPT_FAILURE_MS = 10_000;
const MOST_KEPT = 1_000;
/** A page does not wait longer; what comes later is there for the next one. */
const WAIT_MS = 2_000;

type Kept = LRUCache<string, Promise<AudienceCount | null>>;

/** By the store that the figures are from: installations in one process share nothing. */
const kept = new WeakMap<StatsStore, Kept>();

/**
 * What the placements of a workspace have brought in 30 days, valid events only and up to five minutes old; null where
 * the publisher does not show it, where there is no such workspace, and while the figures cannot be had.
 */
export async function audienceOf(
  services: Pick<Services, "db" | "stats" | "logger" | "now">,
  workspaceId: string,
): Promise<Audience | null> {
  if (!(await isAudiencePublic(services.db, workspaceId))) return null;
  try {
    const counts = await within(WAIT_MS, "reading an audience", countsOf(services, workspaceId));
    return counts === null ? null : { days: DAYS, ...counts };
  } catch (error) {
    services.logger.debug({ err: error, workspaceId }, "an audience is not shown yet");
    return null;
  }
}

function countsOf(
  { stats, logger, now }: Pick<Services, "stats" | "logger" | "now">,
  workspaceId: string,
): Promise<AudienceCount | null> {
  const counts = keptOf(stats);
  const known = counts.get(workspaceId);
  if (known !== undefined) return known;
  const asked = stats.audienceOfWorkspace(workspaceId, statsWindow(DAYS, now())).catch((error: unknown) => {
    logger.warn({ err: error, workspaceId }, "an audience cannot be shown");
    counts.set(workspaceId, asked, { ttl: KEPT_FAILURE_MS });
    return null;
  });
  counts.set(workspaceId, asked);
  return asked;
}

function keptOf(stats: StatsStore): Kept {
  let counts = kept.get(stats);
  if (counts === undefined) {
    counts = new LRUCache({ max: MOST_KEPT, ttl: KEPT_MS });
    kept.set(stats, counts);
  }
  return counts;
}
