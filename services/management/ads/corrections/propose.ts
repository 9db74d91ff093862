import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { PROPOSED_FROM_CLICKS } from "#libs/domain/correction.ts";
import type { StatsStore } from "#libs/stats-store/index.ts";
import { propose } from "./queries.ts";

const DAY_MS = 86_400_000;
/** Ads a day. */
const MOST_PROPOSED = 10_000;

/**
 * Proposes corrections of the UTC day before, of ads with visitors who clicked conspicuously often: a person decides. Safe to repeat.
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
  const day = new Date(now() - DAY_MS).toISOString().slice(0, 10);
  for (const ad of await stats.busyAds(day, PROPOSED_FROM_CLICKS, MOST_PROPOSED)) {
    const who = ad.visitors === 1 ? "One visitor" : `${ad.visitors} visitors`;
    const each = ad.visitors === 1 ? "" : `, ${PROPOSED_FROM_CLICKS} or more each`;
    await propose(db, { ...ad, day }, `${who} made ${ad.clicks} clicks${each}.`);
  }
}
