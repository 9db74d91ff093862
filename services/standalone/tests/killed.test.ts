import { join } from "node:path";
import { createClient } from "@clickhouse/client";
import { expect, it, onTestFinished, vi } from "vitest";
import { startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type Installation, startInstallation } from "./installation.ts";
import { expectGone, killAll } from "./process-tree.ts";
import { aPublisherWithAds, publisherAt, readTotals } from "./publisher.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const ROUNDS = 5;
const CLIENTS = 8;
/** Stats are asked for with a key, which takes 120 requests a minute. */
const CAUGHT_UP = { timeout: 15_000, interval: 400 };
/** Postgres and ClickHouse have to be noticed as gone, recovered, and connected to again. */
const RECOVERED = { timeout: 20_000, interval: 400 };

/** What the clients of one ad sent, and what they were promised. */
class Tally {
  readonly adId: string;
  sent = 0;
  promised = 0;

  constructor(adId: string) {
    this.adId = adId;
  }
}

let visitors = 0;

/** One event after another, each of a visitor of its own, until told to end. */
async function reportUntil(ending: AbortSignal, origin: string, tally: Tally): Promise<void> {
  while (!ending.aborted) {
    visitors += 1;
    tally.sent += 1;
    const promised = await report(origin, tally.adId, "impressions", aVisitor(visitors)).catch(() => false);
    if (promised) tally.promised += 1;
  }
}

function promisedIn(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, { promised }) => sum + promised, 0);
}

/** Rows of the tables in the data folder of an installation that has been stopped. */
async function readStored(dataDir: string) {
  const clickHouse = await startEmbeddedClickHouse({ dataDir: join(dataDir, "clickhouse") });
  onTestFinished(() => clickHouse.close());
  const { url, username, password } = clickHouse;
  const client = createClient({ url, username, password, database: "placard" });
  onTestFinished(() => client.close());
  const ask = async <Row>(query: string): Promise<Row[]> =>
    await (await client.query({ query, format: "JSONEachRow" })).json<Row>();
  return {
    events: await ask<{ ad_id: string; verdict: string; events: number; ids: number }>(
      "SELECT ad_id, verdict, toUInt32(count()) AS events, toUInt32(uniqExact(event_id)) AS ids FROM events GROUP BY ALL ORDER BY ad_id, verdict",
    ),
    daily: await ask<{ ad_id: string; verdict: string; events: number }>(
      "SELECT ad_id, verdict, toUInt32(sum(events)) AS events FROM daily GROUP BY ALL ORDER BY ad_id, verdict",
    ),
    quarter: await ask<{ ad_id: string; verdict: string; events: number }>(
      "SELECT ad_id, verdict, toUInt32(sum(events)) AS events FROM quarter GROUP BY ALL ORDER BY ad_id, verdict",
    ),
    wide: await ask<{ ad_id: string; verdict: string; events: number }>(
      "SELECT ad_id, verdict, toUInt32(sum(events)) AS events FROM wide GROUP BY ALL ORDER BY ad_id, verdict",
    ),
  };
}

it("loses no acknowledged event and counts none twice, however often everything is killed", async () => {
  const dataDir = await aFolder();
  let installation = await startInstallation({ dataDir });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 4);
  const tallies = adIds.map((adId) => new Tally(adId));

  for (let round = 1; round <= ROUNDS; round += 1) {
    const ending = new AbortController();
    const { url } = installation;
    const before = promisedIn(tallies);
    const enough = 100 + Math.floor(Math.random() * 900);
    const clients = Array.from({ length: CLIENTS }, (_, index) => tallies[index % tallies.length]).flatMap(
      (tally) => (tally === undefined ? [] : [reportUntil(ending.signal, url, tally)]),
    );
    await vi.waitUntil(() => promisedIn(tallies) - before >= enough, { timeout: 20_000, interval: 1 });
    await installation.killTree();
    ending.abort();
    await Promise.all(clients);
    installation = await startInstallation({ dataDir, port: installation.port });
  }

  const reader = publisherAt(installation.url, publisher);
  await vi.waitFor(async () => {
    for (const { adId, promised } of tallies) {
      expect((await readTotals(reader, adId)).impressions).toBeGreaterThanOrEqual(promised);
    }
  }, CAUGHT_UP);
  const counted = await Promise.all(adIds.map((adId) => readTotals(reader, adId)));
  await installation.stop();
  const { events, daily, quarter, wide } = await readStored(dataDir);

  expect(promisedIn(tallies)).toBeGreaterThanOrEqual(ROUNDS * 100);
  for (const [index, { sent }] of tallies.entries()) {
    expect(counted[index]?.impressions).toBeLessThanOrEqual(sent);
  }
  expect(events.map(({ ids }) => ids)).toEqual(events.map(({ events: rows }) => rows));
  expect(events.map(({ ad_id, verdict, events: rows }) => ({ ad_id, verdict, events: rows }))).toEqual(daily);
  expect(quarter).toEqual(daily);
  expect(wide).toEqual(daily);
  expect(events.map(({ ad_id, verdict, events: rows }) => ({ ad_id, verdict, impressions: rows }))).toEqual(
    adIds
      .map((ad_id, index) => ({ ad_id, verdict: "valid", impressions: counted[index]?.impressions }))
      .sort((a, b) => (a.ad_id < b.ad_id ? -1 : 1)),
  );
}, 300_000);

it("starts again after its main process alone was killed, and ends what outlived it", async () => {
  const dataDir = await aFolder();
  const first = await startInstallation({ dataDir });
  const { publisher, adIds } = await aPublisherWithAds(first.url, 1);
  const [adId = ""] = adIds;
  expect(await report(first.url, adId, "impressions", aVisitor(1))).toBe(true);

  const orphans = await first.killMain();
  const second = await startInstallation({ dataDir, port: first.port });

  expect(orphans.map(({ name }) => name)).toContain("postgres");
  await expectGone(orphans);
  await vi.waitFor(
    async () => expect((await readTotals(publisherAt(second.url, publisher), adId)).impressions).toBe(1),
    CAUGHT_UP,
  );
  expect(await viewAds(second.url, publisher.workspace.id)).toEqual([adId]);
  await second.stop();
});

/** Kills the main process's child with that title. */
function killEngine(installation: Installation, title: RegExp): void {
  const engines = installation
    .tree()
    .filter((one) => one.parent === installation.pid && title.test(one.title));
  expect(engines).toHaveLength(1);
  killAll(engines);
}

it("continues to acknowledge and count while ClickHouse and then Postgres are killed under it", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });
  const origin = installation.url;
  const { publisher, adIds } = await aPublisherWithAds(origin, 1);
  const [adId = ""] = adIds;
  const promises: boolean[] = [];
  const reportSome = async () => {
    for (let index = 0; index < 20; index += 1) {
      promises.push(await report(origin, adId, "impressions", aVisitor(promises.length)));
    }
  };
  const expectAllCounted = () =>
    vi.waitFor(
      async () => expect((await readTotals(publisher, adId)).impressions).toBe(promises.length),
      RECOVERED,
    );

  killEngine(installation, /embedded-server\.ts/);
  await reportSome();
  await expectAllCounted();

  killEngine(installation, /postgres -D/);
  await reportSome();
  expect(await viewAds(origin, publisher.workspace.id)).toEqual([adId]);
  await expectAllCounted();

  expect(promises).toEqual(Array(40).fill(true));
  // The jobs have found their way back too: a change reaches serving.
  expect((await publisher.caller.request("POST", `${publisher.path}/ads/${adId}/pause`)).status).toBe(200);
  await vi.waitFor(async () => expect(await viewAds(origin, publisher.workspace.id)).toEqual([]), RECOVERED);
  await installation.stop();
});
