import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { aPublisherWithAds } from "./publisher.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const WITHIN = { timeout: 30_000, interval: 100 };

it("is ready while ads and tracking work, whatever becomes of stats, and not while no event is taken", async () => {
  const dataDir = await aFolder();
  const installation = await startInstallation({ dataDir });
  const { url: origin } = installation;
  const { publisher, adIds } = await aPublisherWithAds(origin, 1);
  const [adId = ""] = adIds;
  const readyz = async () => {
    const answer = await fetch(`${origin}/readyz`);
    return { status: answer.status, ...JSON.parse(await answer.text()) };
  };
  const clickHouse = installation.tree().find(({ title }) => title.includes("embedded-server.ts"));
  const pid = clickHouse?.pid ?? Number.NaN;

  const whole = await readyz();
  process.kill(pid, "SIGSTOP");
  const withoutStats = await readyz();
  const isCounted = await report(origin, adId, "impressions", aVisitor(1));
  process.kill(pid, "SIGCONT");
  const writing = new DatabaseSync(join(dataDir, "events.db"));
  onTestFinished(() => writing.close());
  writing.exec("BEGIN IMMEDIATE");
  const withoutLog = await vi.waitFor(async () => {
    void report(origin, adId, "impressions", aVisitor(2)).catch(() => false);
    const answer = await readyz();
    expect(answer.status).toBe(503);
    return answer;
  }, WITHIN);
  const served = await viewAds(origin, publisher.workspace.id);
  writing.exec("ROLLBACK");

  const works = { ads: "up", tracking: "up", management: "up", stats: "up" };
  expect(whole).toMatchObject({ status: 200, ready: true, functions: works });
  expect(whole.checks).toMatchObject({ "event log": "up", ingestion: "up", uploads: "up" });
  expect(withoutStats).toMatchObject({ status: 200, ready: true, functions: { ...works, stats: "down" } });
  expect(isCounted).toBe(true);
  expect(withoutLog).toMatchObject({ ready: false, functions: { ads: "up", tracking: "down" } });
  expect(served).toEqual([adId]);
  await vi.waitFor(async () => expect(await readyz()).toMatchObject({ status: 200, ready: true }), WITHIN);
  await installation.stop();
}, 300_000);
