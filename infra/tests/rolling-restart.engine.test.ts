import { expect, it, vi } from "vitest";
import { aPublisherWithAds, readTotals } from "../../services/standalone/tests/publisher.ts";
import { aVisitor, report, viewAds } from "../../services/standalone/tests/visitor.ts";
import { startSplitInstallation } from "./split-installation.ts";

const BROWSERS = 8;
const ROUNDS = 2;

it("answers every browser and counts exactly while the processes of serving are restarted in turn", async () => {
  const { origin, serving } = await startSplitInstallation({ serving: 2 });
  const { publisher, adIds } = await aPublisherWithAds(origin, 1);
  const [adId = ""] = adIds;
  const workspaceId = publisher.workspace.id;
  await vi.waitFor(async () => {
    for (const each of serving) expect(await viewAds(each.origin, workspaceId)).toEqual(adIds);
  }, 10_000);
  const done = new AbortController();
  const refused: unknown[] = [];
  let visitors = 0;
  let counted = 0;
  async function browse(): Promise<void> {
    while (!done.signal.aborted) {
      visitors += 1;
      const visitor = aVisitor(visitors);
      try {
        await viewAds(origin, workspaceId, visitor);
        if (await report(origin, adId, "impressions", visitor)) counted += 1;
      } catch (error) {
        refused.push(error);
      }
    }
  }

  const browsing = Array.from({ length: BROWSERS }, browse);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { program, origin: restarted } of serving) {
      await program.stop();
      await program.start();
      // The proxy skips a process that refused it for a second, or that was slow while it started: the next is stopped
      // once this one gets its share of the requests again.
      await vi.waitFor(async () => expect(await adsAsked(restarted)).toBeGreaterThan(50), 20_000);
    }
  }
  done.abort();
  await Promise.all(browsing);

  expect(refused).toEqual([]);
  expect(counted).toBe(visitors);
  await vi.waitFor(
    async () => {
      expect(await readTotals(publisher, adId)).toEqual({ impressions: counted, clicks: 0 });
    },
    { timeout: 20_000, interval: 100 },
  );
});

/** How often a process has been asked for ads since it started. */
async function adsAsked(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const counts = metrics.matchAll(/^placard_serving_response_cache_total\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}
