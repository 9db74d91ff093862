import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { PROPOSED_FROM_CLICKS } from "#libs/domain/correction.ts";
import { DAY_MS } from "#libs/domain/report-zone.ts";
import { dayOf } from "#libs/domain/stats-window.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { propose } from "./queries.ts";

/** Most proposals per day. */
const MOST_PROPOSED = 10_000;

/**
 * Proposes to correct yesterday (UTC) for ads on which one visitor clicked very often. A person decides. Safe to repeat.
 * Throws `StatsStoreError` when the events cannot be read.
 */
export async function proposeCorrections({
  db,
  stats,
  now,
}: {
  readonly db: Kysely<Tables>;
  readonly stats: Pick<StatsStore, "busyAds">;
  readonly now: () => number;
}): Promise<void> {
  const day = dayOf(now() - DAY_MS);
  for (const ad of await stats.busyAds(day, PROPOSED_FROM_CLICKS, MOST_PROPOSED)) {
    const who = ad.visitors === 1 ? "One visitor" : `${ad.visitors} visitors`;
    const each = ad.visitors === 1 ? "" : `, ${PROPOSED_FROM_CLICKS} or more each`;
    await propose(db, { ...ad, day }, `${who} made ${ad.clicks} clicks${each}.`);
  }
}
