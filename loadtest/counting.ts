import { BROWSER } from "./browser.ts";
import { impressionsInStats, until } from "./demo.ts";
import type { LoadResult } from "./load.ts";
import { sumOf } from "./metrics.ts";
import type { Bench } from "./scenario.ts";

/** Sent one by one after the loads, each from a visitor of its own and each waited for, so that they count exactly. */
const EXACT = 10_000;
const EXACT_CONNECTIONS = 100;
const EXACT_WITHIN_S = 60;

export interface Counts {
  readonly counts: {
    /** Answers `success: true` that clients have seen. */
    readonly acknowledged: number;
    /** Events that the server says it has stored; a load that is cut off leaves answers unseen, so it may be more. */
    readonly stored: number;
    /** Of them: a visitor's second within ten seconds and the like, stored but not counted. */
    readonly uncounted: number;
    readonly inStats: number;
    /** The exact part: acknowledged, and what the stats have grown by. */
    readonly exactAcknowledged: number;
    readonly exactInStats: number;
  };
  readonly complaints: readonly string[];
}

/**
 * Runs loads of impressions and checks that every one that was acknowledged is in the publisher's stats, none missing
 * and none twice.
 */
export async function countEvents<T>(
  bench: Bench,
  body: () => Promise<{ readonly result: T; readonly loads: readonly LoadResult[] }>,
): Promise<{ result: T; acknowledged: Counts }> {
  const before = await settled(bench);
  const { result, loads } = await body();
  const between = await settled(bench);
  const exact = await bench.client.run({
    origin: bench.placard.origin,
    method: "POST",
    paths: bench.adIds.map((adId) => `/v1/ads/${adId}/impressions`),
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: EXACT / EXACT_CONNECTIONS,
    expectBody: '{"success":true}',
    duration: EXACT_WITHIN_S,
    connections: EXACT_CONNECTIONS,
    amount: EXACT,
  });
  const after = await settled(bench);

  const acknowledged = loads.reduce((sum, { answered, failed }) => sum + answered - failed, 0);
  const sent = loads.reduce((sum, load) => sum + load.sent, 0);
  const stored = between.stored - before.stored;
  const uncounted = between.uncounted - before.uncounted;
  const inStats = between.inStats - before.inStats;
  const exactAcknowledged = exact.answered - exact.failed;
  const exactInStats = after.inStats - between.inStats;

  const complaints = [
    acknowledged > stored && `${acknowledged} events were acknowledged and only ${stored} stored.`,
    stored > sent && `${stored} events were stored and only ${sent} sent.`,
    stored - uncounted !== inStats && `${stored - uncounted} events should count and ${inStats} do.`,
    exactAcknowledged !== EXACT && `Of ${EXACT} events ${exactAcknowledged} were acknowledged.`,
    exactInStats !== exactAcknowledged &&
      `${exactAcknowledged} events were acknowledged and ${exactInStats} are in the stats.`,
  ].filter((complaint) => complaint !== false);
  return {
    result,
    acknowledged: {
      counts: { acknowledged, stored, uncounted, inStats, exactAcknowledged, exactInStats },
      complaints,
    },
  };
}

/** What there is once ingestion has caught up with the log. */
async function settled({ placard, adIds }: Bench) {
  return until(async () => {
    const text = await (await fetch(`${placard.origin}/metrics`)).text();
    if (sumOf(text, "placard_ingestion_lag_events") !== 0) return undefined;
    const stored = sumOf(text, "tracking_events_total");
    const uncounted = stored - sumOf(text, "tracking_events_total", 'verdict="valid"');
    return { stored, uncounted, inStats: await impressionsInStats(placard, adIds) };
  }, "Ingestion has not caught up with the event log.");
}
