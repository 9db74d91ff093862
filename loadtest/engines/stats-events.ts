import type { ClickHouseClient } from "@clickhouse/client";
import { seedId } from "../seeds/seed-ids.ts";
import { SEEDS } from "./test-engines.ts";

const EVENTS_IN_AN_INSERT = 1_000_000;
const DAY_MS = 86_400_000;

/** Days over which the events are spread, up to today. */
export const DAYS = 365;

/** Events a day grow steadily less with an ad's number: some are seen a lot, most seldom. */
const AD = `toUInt64(pow((intHash32(number) % 1000000) / 1000000, 2) * ${SEEDS.main.adsEach})`;

/**
 * Makes the given number of events inside ClickHouse: of the main workspace's thousand ads, in the order of time over the last year,
 * one click in fifty, one bot in ten. `connected` has the product's schema, so `daily` fills as it always does.
 */
export async function makeEvents(
  connected: ClickHouseClient,
  count: number,
  now: number,
  onProgress: (done: number) => void,
): Promise<void> {
  // Ended today at midnight, so that no event is of the future.
  const begin = Math.floor(now / DAY_MS) * DAY_MS - (DAYS - 1) * DAY_MS;
  const stepMs = ((DAYS - 1) * DAY_MS) / count;
  for (let done = 0; done < count; done += EVENTS_IN_AN_INSERT) {
    const some = Math.min(EVENTS_IN_AN_INSERT, count - done);
    await connected.command({
      query: `INSERT INTO events (event_id, workspace_id, ad_id, kind, verdict, visitor, occurred_at, source)
        SELECT concat('evt_', leftPad(toString(number), 26, '0')), {workspaceId:String},
          concat('ad_', leftPad(toString(${SEEDS.main.firstAd} + ${AD}), 26, '0')),
          if(intHash32(number + 1) % 50 = 0, 'click', 'impression'),
          if(intHash32(number + 2) % 10 = 0, 'bot', 'valid'),
          lower(leftPad(hex(intHash64(number) % 5000000), 16, '0')),
          fromUnixTimestamp64Milli(toInt64({begin:Int64} + number * {stepMs:Float64}), 'UTC'), 'page'
        FROM numbers({done:UInt64}, {some:UInt64})`,
      query_params: { workspaceId: seedId("ws", SEEDS.main.first), begin, stepMs, done, some },
    });
    onProgress(done + some);
  }
}
