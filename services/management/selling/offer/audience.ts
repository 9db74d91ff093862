import type { Kysely } from "kysely";
import { LRUCache } from "lru-cache";
import { within } from "#libs/async/index.ts";
import type { Tables } from "#libs/database/tables.ts";
import { isId } from "#libs/domain/ids.ts";
import { statsWindow } from "#libs/domain/stats-window.ts";
import type { AudienceCount } from "#libs/stats-store/index.ts";
import { inStatsTurn } from "../../api/turns.ts";
import type { SellingPorts } from "../ports.ts";

/** The stats of the last 30 days that a publisher shows to potential advertisers. */
export interface Audience extends AudienceCount {
  readonly days: 30;
}

type AudiencePorts = Pick<SellingPorts, "db" | "stats" | "logger" | "now">;

const DAYS = 30;
const CACHE_MS = 5 * 60_000;
/** After a failure, so that each visitor does not query a store in trouble. */
const CACHE_FAILURE_MS = 10_000;
const MOST_CACHED = 1_000;
/** The count is cached for the next visitors, so it is made even if this one leaves. */
const FOR_ALL = { closed: false };
/** A page waits this long; a later answer is cached for the next one. */
const WAIT_MS = 2_000;

/**
 * Returns the function that reads a workspace's audience: valid events only, up to five minutes old. It returns null if the
 * publisher does not show it, for an unknown workspace, and while the stats store does not answer.
 */
export function createAudience({ db, stats, logger, now }: AudiencePorts) {
  const cached = new LRUCache<string, Promise<AudienceCount | null>>({ max: MOST_CACHED, ttl: CACHE_MS });

  function countsOf(workspaceId: string): Promise<AudienceCount | null> {
    const known = cached.get(workspaceId);
    if (known !== undefined) return known;
    const count = () => stats.audienceOfWorkspace(workspaceId, statsWindow(DAYS, now()));
    const asked = inStatsTurn(db, workspaceId, FOR_ALL, count).catch((error: unknown) => {
      logger.warn({ err: error, workspaceId }, "an audience cannot be shown");
      cached.set(workspaceId, asked, { ttl: CACHE_FAILURE_MS });
      return null;
    });
    cached.set(workspaceId, asked);
    return asked;
  }

  return async (workspaceId: string): Promise<Audience | null> => {
    if (!(await isAudiencePublic(db, workspaceId))) return null;
    try {
      const counts = await within(WAIT_MS, "reading an audience", countsOf(workspaceId));
      return counts === null ? null : { days: DAYS, ...counts };
    } catch (error) {
      logger.debug({ err: error, workspaceId }, "an audience is not shown yet");
      return null;
    }
  };
}

async function isAudiencePublic(db: Kysely<Tables>, workspaceId: string): Promise<boolean> {
  if (!isId("workspace", workspaceId)) return false;
  const row = await db
    .selectFrom("workspaces")
    .where("id", "=", workspaceId)
    .select("audience_public")
    .executeTakeFirst();
  return row?.audience_public ?? false;
}
