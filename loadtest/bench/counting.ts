import { BROWSER } from "../clients/browser.ts";
import type { Client } from "../clients/client.ts";
import type { LoadResult } from "../clients/load.ts";
import { isCaughtUp, sumOf } from "../measure/metrics.ts";
import { until } from "../processes/until.ts";

/** Sent one by one after the loads, each from a visitor of its own and each waited for, so that they count exactly. */
const EXACT = 10_000;
const EXACT_CONNECTIONS = 100;
const EXACT_WITHIN_S = 60;
const CAUGHT_UP_WITHIN_MS = 60_000;

/** What tracks events, and where they can be counted. */
export interface Counted {
  readonly origin: string;
  readonly adIds: readonly string[];
  /** Where ingestion tells how far behind it is; in one process the same as `origin`. */
  readonly ingestionOrigin: string;
  /** Impressions that count, over all `adIds`. */
  impressionsInStats(): Promise<number>;
}

export interface Counts {
  readonly counts: {
    /** Answers `success: true` that clients have seen. */
    readonly acknowledged: number;
    /** Events stored according to the server; a load that is cut off leaves answers unseen, so it may be more. */
    readonly stored: number;
    /** Stored events that do not count: a visitor's second within ten seconds, and the like. */
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
  client: Client,
  counted: Counted,
  body: () => Promise<{ readonly result: T; readonly loads: readonly LoadResult[] }>,
): Promise<{ result: T; acknowledged: Counts }> {
  const before = await settled(counted);
  const { result, loads } = await body();
  const between = await settled(counted);
  const exact = await client.run({
    origin: counted.origin,
    method: "POST",
    paths: counted.adIds.map((adId) => `/v1/ads/${adId}/impressions`),
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: EXACT / EXACT_CONNECTIONS,
    expectBody: '{"success":true}',
    duration: EXACT_WITHIN_S,
    connections: EXACT_CONNECTIONS,
    amount: EXACT,
  });
  const after = await settled(counted);

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
async function settled({ origin, ingestionOrigin, impressionsInStats }: Counted) {
  return until(
    async () => {
      if (!isCaughtUp(await metricsOf(ingestionOrigin))) return undefined;
      const text = await metricsOf(origin);
      const stored = sumOf(text, "placard_tracking_events_total");
      const uncounted = stored - sumOf(text, "placard_tracking_events_total", 'verdict="valid"');
      return { stored, uncounted, inStats: await impressionsInStats() };
    },
    "Ingestion has not caught up with the event log.",
    CAUGHT_UP_WITHIN_MS,
  );
}

async function metricsOf(origin: string): Promise<string> {
  return (await fetch(`${origin}/metrics`)).text();
}
