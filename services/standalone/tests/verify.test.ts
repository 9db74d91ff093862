import { glob, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { createClient } from "@clickhouse/client";
import { expect, it, vi } from "vitest";
import { readLocalLog } from "#libs/event-log/index.ts";
import { startEmbeddedClickHouse } from "#libs/stats-store/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { runProgram } from "../../management/tests/operator-commands.ts";
import { aLogoCampaign } from "../../management/tests/upload-story.ts";
import { dayOf } from "../../verification/days.ts";
import { startInstallation } from "./installation.ts";
import { aPublisherWithAds, approve, publisherAt, readTotals } from "./publisher.ts";
import { aServer, COUNTED, sendUntilAccepted } from "./server-requests.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const EVENTS = 5;

/** Does something to the counts of a stopped product that the product never does. */
async function damageCounts(dataDir: string, query: string): Promise<void> {
  const clickhouse = await startEmbeddedClickHouse({ dataDir: join(dataDir, "clickhouse") });
  const client = createClient({ ...clickhouse, database: "placard" });
  await client.command({ query, clickhouse_settings: { mutations_sync: "1" } });
  await client.close();
  await clickhouse.close();
}

it("verifies a product while it runs and when it is stopped, names what is missing, and repairs counts", async () => {
  const dataDir = await aFolder();
  const run = (command: "verify" | "repair", ...given: string[]) =>
    runProgram(command, { DATA_DIR: dataDir }, ...given);
  const installation = await startInstallation({ dataDir });
  const campaign = await aLogoCampaign({ origin: installation.url });
  const logo = await campaign.upload();
  const { id: adId } = await campaign.submit(logo.publicUrl);
  await approve(campaign.publisher, adId);
  const { id: workspaceId } = campaign.publisher.workspace;
  await expect.poll(() => viewAds(installation.url, workspaceId)).toEqual([adId]);
  for (let visitor = 1; visitor <= EVENTS; visitor += 1)
    await report(installation.url, adId, "impressions", aVisitor(visitor));
  await vi.waitFor(
    async () => expect(await readTotals(campaign.publisher, adId)).toMatchObject({ impressions: EVENTS }),
    { timeout: 20_000, interval: 200 },
  );

  const whileRunning = await run("verify");
  const repairWhileRunning = await run("repair", "--days", "2026-01-01");
  await installation.stop();
  const whenStopped = await run("verify", "--days", "2");
  await damageCounts(dataDir, `ALTER TABLE daily DELETE WHERE ad_id = '${adId}'`);
  const key = new URL(logo.publicUrl).pathname.replace("/uploads/", "");
  await rm(join(dataDir, "uploads", key));
  const damaged = await run("verify");
  const [day = ""] = /\d{4}-\d\d-\d\d(?=, ad_)/.exec(damaged.stdout) ?? [];
  const repaired = await run("repair", "--days", day);
  const afterwards = await run("verify");

  expect(whileRunning, whileRunning.stdout).toMatchObject({ exitCode: 0, stderr: "" });
  expect(whileRunning.stdout).toContain("counts: no differences");
  expect(repairWhileRunning).toMatchObject({ exitCode: 1, stdout: "" });
  expect(repairWhileRunning.stderr).toContain("The product runs on this folder. Stop it");
  expect(whenStopped, whenStopped.stdout).toMatchObject({ exitCode: 0, stderr: "" });
  expect(damaged).toMatchObject({ exitCode: 1, stderr: "" });
  expect(damaged.stdout).toContain(
    `impression (valid): events has ${EVENTS}, daily has 0, quarter has ${EVENTS}, wide has ${EVENTS}.`,
  );
  expect(damaged.stdout).toContain(`The file ${key} is missing`);
  expect(repaired, repaired.stdout).toMatchObject({ exitCode: 0, stderr: "" });
  expect(afterwards).toMatchObject({ exitCode: 1, stderr: "" });
  expect(afterwards.stdout).toContain("counts: no differences");
  expect(afterwards.stdout).toContain(`uploads: 1 difference\n  The file ${key} is missing`);
  const again = await startInstallation({ dataDir });
  expect(again.stderr).toBe("");
  await again.stop();
});

it("names damage that nothing else reads, and counts again when a damaged part was put aside", async () => {
  const dataDir = await aFolder();
  const verify = () => runProgram("verify", { DATA_DIR: dataDir });
  const installation = await startInstallation({ dataDir });
  const { publisher, adIds } = await aPublisherWithAds(installation.url, 1);
  const [adId = ""] = adIds;
  const server = await aServer(publisher);
  await sendUntilAccepted(installation.url, server.aRequest(adId, true));
  await vi.waitFor(async () => expect(await readTotals(publisher, adId)).toEqual(COUNTED), COUNTED_WITHIN);
  await installation.stop();
  const part = await largestPart(dataDir);
  await damage(join(part, "data.bin"));
  const log = join(dataDir, "events.db");
  const whole = await readFile(log);
  // The second page, which only says what the others are for.
  await writeFile(log, Buffer.from(whole).fill(0xff, 32_768, 2 * 32_768));

  const damaged = await verify();
  await writeFile(log, whole);
  // As backup.md says.
  await rename(part, join(dirname(part), "detached", `broken-on-start_${basename(part)}`));
  const accepting = { dataDir, environment: { ACCEPT_DATA_LOSS: "clickhouse" } };
  const again = await startInstallation(accepting);
  const reader = publisherAt(again.url, publisher);
  const before = await readTotals(reader, adId);
  await sendUntilAccepted(again.url, server.aRequest(adId, true));
  await vi.waitFor(
    async () =>
      expect(await readTotals(reader, adId)).toEqual({
        impressions: 2 * COUNTED.impressions,
        clicks: 2 * COUNTED.clicks,
      }),
    COUNTED_WITHIN,
  );
  await again.stop();
  const afterwards = await verify();

  expect(damaged).toMatchObject({ exitCode: 1, stderr: "" });
  expect(damaged.stdout).toContain(`cannot read part ${basename(part)} of events: `);
  expect(damaged.stdout).toContain(`The event log ${log} is damaged: `);
  // What people read is in the other table.
  expect(before).toEqual(COUNTED);
  expect(impressionsIn(afterwards.stdout)).toEqual({
    events: 800,
    daily: 1_600,
    quarter: 1_600,
    wide: 1_600,
  });
  expect(afterwards.stdout).toContain("stores: no differences");
});

const COUNTED_WITHIN = { timeout: 20_000, interval: 200 };

/** What differs over all days: midnight may have passed within the last hour, in which the events occurred. */
function impressionsIn(report: string) {
  const days = [
    ...report.matchAll(
      /impression \(valid\): events has (\d+), daily has (\d+), quarter has (\d+), wide has (\d+)\./g,
    ),
  ];
  const sum = (group: number) => days.reduce((total, day) => total + Number(day[group]), 0);
  return { events: sum(1), daily: sum(2), quarter: sum(3), wide: sum(4) };
}

/** The largest part of the raw events. */
async function largestPart(dataDir: string): Promise<string> {
  let largest = { file: "", size: 0 };
  for await (const file of glob(join(dataDir, "clickhouse/store/*/*/*/data.bin"))) {
    const { size } = await stat(file);
    if (size > largest.size) largest = { file, size };
  }
  return dirname(largest.file);
}

/** Overwrites 64 bytes in the middle of a file. */
async function damage(file: string): Promise<void> {
  const bytes = await readFile(file);
  const middle = bytes.length >> 1;
  await writeFile(file, bytes.fill(0xff, middle, middle + 64));
}

it("does not repair before an insert that was cut short is complete, which would count its events twice", async () => {
  const dataDir = await aFolder();
  const repair = () => runProgram("repair", { DATA_DIR: dataDir }, "--days", dayOf(Date.now()));
  const killed = await startInstallation({ dataDir });
  const { publisher, adIds } = await aPublisherWithAds(killed.url, 1);
  const clickHouse = killed.tree().find(({ title }) => title.includes("embedded-server.ts"));
  process.kill(clickHouse?.pid ?? Number.NaN, "SIGSTOP");
  await report(killed.url, adIds[0] ?? "", "impressions", aVisitor(1));
  await vi.waitFor(() => expect(readLocalLog(join(dataDir, "events.db"))?.intent).toEqual(1), {
    timeout: 20_000,
    interval: 200,
  });
  await killed.killTree();

  const tooEarly = await repair();
  const completing = await startInstallation({ dataDir });
  await vi.waitFor(
    async () =>
      expect(await readTotals(publisherAt(completing.url, publisher), adIds[0] ?? "")).toMatchObject({
        impressions: 1,
      }),
    { timeout: 20_000, interval: 400 },
  );
  await completing.stop();
  const repaired = await repair();

  expect(tooEarly).toMatchObject({ exitCode: 1, stdout: "" });
  expect(tooEarly.stderr).toContain("completes that at its next start");
  expect(repaired).toMatchObject({ exitCode: 0, stderr: "" });
  expect(repaired.stdout).toContain("made from 1 raw events; daily had 1.");
}, 300_000);

it("says how it is used, and that there is no installation where there is none", async () => {
  const dataDir = await aFolder();
  const run = (command: "verify" | "repair", ...given: string[]) =>
    runProgram(command, { DATA_DIR: join(dataDir, "nowhere") }, ...given);

  const outcomes = await Promise.all([
    run("verify", "--days", "none"),
    run("repair"),
    run("repair", "--days", "2026-02-30"),
    run("verify"),
  ]);

  expect(outcomes.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 1]);
  expect(outcomes[0]?.stderr).toContain("Use: npm run operate:verify");
  expect(outcomes[1]?.stderr).toContain("Use: npm run operate:repair -- --days 2026-11-20");
  expect(outcomes[3]?.stderr).toContain(`There is no installation in ${join(dataDir, "nowhere")}`);
});
