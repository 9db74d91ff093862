import { expect, it, vi } from "vitest";
import { adTraffic } from "#libs/contract/ad.ts";
import { doTheMainJob, expectMainJob } from "../../services/standalone/tests/main-job.ts";
import { aPublisherWithAds, readTotals } from "../../services/standalone/tests/publisher.ts";
import { expectNewsletterCounts } from "../../services/standalone/tests/script-free.ts";
import { aVisitor, report, viewAds } from "../../services/standalone/tests/visitor.ts";
import { startSplitInstallation } from "./split-installation.ts";

const COUNTED_WITHIN = { timeout: 20_000, interval: 100 };

it("does the main job as separate services behind the proxy, and knows it all after each was restarted", async () => {
  const { origin, management, serving, ingestion } = await startSplitInstallation();
  const done = await doTheMainJob(origin);

  for (const { program } of [...serving, ...ingestion, management]) {
    await program.stop();
    await program.start();
  }

  await expectMainJob(origin, done);
});

it("counts what a newsletter's reader opens and follows, through the proxy", async () => {
  const { origin } = await startSplitInstallation();

  await expectNewsletterCounts(origin);
});

it("counts exactly, rotates alike and shares limits with several processes of everything", async () => {
  const installation = await startSplitInstallation({ serving: 2, ingestion: 2 });
  const { publisher, adIds } = await aPublisherWithAds(installation.origin, 4);
  const manyCores = await installation.add("serving", { SERVING_PROCESSES: "2" });
  const origins = [...installation.serving, manyCores].map(({ origin }) => origin);
  const workspaceId = publisher.workspace.id;
  await vi.waitFor(async () => {
    for (const origin of origins)
      expect((await viewAds(origin, workspaceId)).sort()).toEqual([...adIds].sort());
  }, 10_000);

  // Answers of one window, in which the order of everybody is the same.
  await vi.waitFor(async () => {
    const window = Math.floor(Date.now() / 60_000);
    const orders = await Promise.all(origins.map((origin) => viewAds(origin, workspaceId)));
    expect(Math.floor(Date.now() / 60_000)).toBe(window);
    expect(new Set(orders.map((order) => order.join())).size).toBe(1);
  }, 10_000);

  const visitors = Array.from({ length: 600 }, (_, index) => aVisitor(index));
  const counted = await Promise.all(
    visitors.map((visitor, index) =>
      report(at(origins, index), at(adIds, Math.floor(index / 3)), "impressions", visitor),
    ),
  );
  expect(counted).toEqual(visitors.map(() => true));
  await vi.waitFor(async () => {
    const totals = await Promise.all(adIds.map((adId) => readTotals(publisher, adId)));
    expect(totals).toEqual(adIds.map(() => ({ impressions: 150, clicks: 0 })));
  }, COUNTED_WITHIN);

  // Thirty per minute from one address: of one process at once, and over all of them where events are counted. If the minute ends
  // meanwhile, the count starts again.
  const [adId = ""] = adIds;
  const limitedSoFar = async () => {
    const path = `${publisher.path}/ads/${adId}/traffic?days=2`;
    return (await publisher.caller.ok(adTraffic, "GET", path)).totals.limited;
  };
  await vi.waitFor(async () => {
    const before = await limitedSoFar();
    const one = aVisitor(10_000 + Math.floor(Math.random() * 100_000));
    const minute = Math.floor(Date.now() / 60_000);
    const [first, second] = await Promise.all(
      installation.serving.map(async ({ origin }) => {
        const sent = Array.from({ length: 40 }, () => report(origin, adId, "impressions", one));
        return (await Promise.all(sent)).filter((isTaken) => isTaken).length;
      }),
    );
    expect(Math.floor(Date.now() / 60_000)).toBe(minute);
    expect([first, second]).toEqual([30, 30]);
    await vi.waitFor(async () => expect((await limitedSoFar()) - before).toBe(30), COUNTED_WITHIN);
  }, 60_000);
});

function at<T>(list: readonly T[], index: number): T {
  const found = list[index % list.length];
  if (found === undefined) throw new RangeError("the list is empty");
  return found;
}
