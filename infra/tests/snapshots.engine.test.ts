import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import { aTier } from "../../services/management/tests/story.ts";
import { advertise, aPublisherWithAds, approve } from "../../services/standalone/tests/publisher.ts";
import { aVisitor, report, viewAds } from "../../services/standalone/tests/visitor.ts";
import { aPassingEngine } from "../native/private-engine.ts";
import { redisRecipe } from "../native/recipes.ts";
import { startSplitInstallation } from "./split-installation.ts";

const SHOWN_WITHIN = { timeout: 15_000, interval: 50 };
/** Nothing listens there. */
const AWAY = "postgres://u:p@127.0.0.1:1/d";

it("serves through a Redis that is away, empty, or all there is", async () => {
  const { program: redis, address, remove } = await aPassingEngine(redisRecipe);
  onTestFinished(remove);
  await redis.start();
  const { origin, environmentOf, add } = await startSplitInstallation({
    environment: { REDIS_URL: address.url },
  });
  const { publisher, adIds } = await aPublisherWithAds(origin, 2);
  const workspaceId = publisher.workspace.id;
  const tier = await aTier(publisher);
  const shows = async (at: string, expected: readonly string[]) =>
    expect((await viewAds(at, workspaceId)).sort()).toEqual([...expected].sort());

  // Away: known snapshots are still served, and a change comes from Postgres.
  await redis.kill();
  await shows(origin, adIds);
  const third = await advertise(origin, publisher, tier.prices[0]?.id ?? "", "Advertiser 3");
  await approve(publisher, third);
  const all = [...adIds, third];
  await vi.waitFor(() => shows(origin, all), SHOWN_WITHIN);

  // Back and empty: the first process that is asked fills it, even one that has no snapshot yet.
  await redis.start();
  const fresh = await add("serving");
  await vi.waitFor(() => shows(fresh.origin, all), SHOWN_WITHIN);

  // Empty again, filled by the command; a process that cannot ask Postgres then serves and counts by that alone.
  await redis.kill();
  await redis.start();
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "operate:snapshots"], {
    env: { PATH: process.env.PATH, ...environmentOf("management") },
  });
  expect(stdout).toBe("1 snapshot is in Redis.\n");
  const cutOff = await add("serving", { DATABASE_URL: AWAY });
  expect(await report(cutOff.origin, third, "impressions", aVisitor(1))).toBe(true);
  await shows(cutOff.origin, all);
});
