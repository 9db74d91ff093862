import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { z } from "zod";
import { adStats } from "#libs/contract/ad.ts";
import { revenue } from "#libs/contract/revenue.ts";
import { servedAds, tracked } from "#libs/contract/serving.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createCaller, signIn } from "../seed/caller.ts";
import { DEMO_ADS, DEMO_TIERS, DEMO_WAITING } from "../seed/content.ts";
import { launchInstallation, startInstallation } from "./installation.ts";

const environment = { SEED: "demo" };
const WORKSPACE = /^ {2}Workspace {3}(ws_\w+) \(demo\)$/m;
const SIGN_IN = /^ {2}Sign in {5}(\S+), password (\S+)$/m;
const KEY = /^ {2}Key {9}(plc_\w+) \(shown this once\)$/m;

/** Each ad was charged when it was bought and in every month since. */
const BOUGHT = [...DEMO_ADS, DEMO_WAITING];
const INVOICES = BOUGHT.reduce((sum, { bought }) => sum + 1 + bought.months, 0);
const CHARGED = BOUGHT.reduce(
  (sum, { tier, bought }) => sum + (1 + bought.months) * (DEMO_TIERS[tier]?.amount ?? 0),
  0,
);

/** The lines that begin with curl, as somebody would copy them. */
function curlLines(welcome: string): string[] {
  return welcome.split("\n").filter((line) => line.trimStart().startsWith("curl "));
}

/** Pastes a line into a shell that knows nothing but where programs are; returns what it prints, as JSON. */
async function paste(line: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)("bash", ["-c", line], { env: { PATH: process.env.PATH } });
  return JSON.parse(stdout);
}

/** Whether a checkout has been answered, which is about the middle of making the demo. */
async function hasSoldSomething(port: number): Promise<boolean> {
  const metrics = await fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
  return (await metrics?.text())?.includes("checkout-sessions") ?? false;
}

it("shows a demo at the first start whose three lines work when pasted, and the same demo afterwards", async () => {
  const dataDir = await aFolder();
  const first = await startInstallation({ dataDir, environment });
  const welcome = first.stdout;
  const [serve = "", track = "", stats = "", ...more] = curlLines(welcome);

  expect(first.url).toBe(`http://127.0.0.1:${first.port}`);
  expect(welcome).toMatch(WORKSPACE);
  expect(welcome).toMatch(KEY);
  expect(welcome).toMatch(SIGN_IN);
  expect(more).toEqual([]);

  const { ads } = servedAds.parse(await paste(serve));
  expect(ads).toHaveLength(3);
  expect(ads.every(({ meta }) => typeof meta.tagline === "string")).toBe(true);

  const history = adStats.parse(await paste(stats));
  expect(history.days).toBe(7);
  expect(history.rows.slice(0, -1).every(({ impressions }) => impressions > 0)).toBe(true);
  expect(tracked.parse(await paste(track))).toEqual({ success: true });
  await vi.waitFor(
    async () => {
      const { totals } = adStats.parse(await paste(stats));
      expect(totals.impressions).toBe(history.totals.impressions + 1);
    },
    { timeout: 20_000, interval: 100 },
  );
  const ledger = `${first.url}/v1/workspaces/${WORKSPACE.exec(welcome)?.[1]}/revenue?months=12`;
  await vi.waitFor(
    async () => {
      const { currencies } = revenue.parse(
        await paste(`curl -s -H "authorization: Bearer ${KEY.exec(welcome)?.[1]}" "${ledger}"`),
      );
      expect(currencies[0]?.totals).toMatchObject({ invoices: INVOICES, gross: CHARGED, refunded: 0 });
    },
    { timeout: 20_000, interval: 100 },
  );
  await first.stop();

  const second = await startInstallation({ dataDir, environment, port: first.port });
  const [serveAgain = ""] = curlLines(second.stdout);
  expect(WORKSPACE.exec(second.stdout)?.[1]).toBe(WORKSPACE.exec(welcome)?.[1]);
  expect(second.stdout).not.toContain("plc_");
  expect(SIGN_IN.exec(second.stdout)?.[0]).toBe(SIGN_IN.exec(welcome)?.[0]);
  expect(servedAds.parse(await paste(serveAgain.replace("count=3", "count=50"))).ads).toHaveLength(6);
  expect(adStats.parse(await paste(stats)).totals.impressions).toBe(history.totals.impressions + 1);
  await second.stop();
});

it("shows buyers its figures, and a sign-in to what there is to review until another password is chosen", async () => {
  const dataDir = await aFolder();
  const first = await startInstallation({ dataDir, environment });
  const [, email = "", password = ""] = SIGN_IN.exec(first.stdout) ?? [];
  const [, workspaceId] = WORKSPACE.exec(first.stdout) ?? [];

  // The figures are read beside the page, which does not wait for them for long.
  const page = await vi.waitFor(
    async () => {
      const text = await (await fetch(`${first.url}/advertise/demo`)).text();
      expect(text).toContain("Ad performance, last 30 days");
      return text;
    },
    { timeout: 20_000, interval: 200 },
  );
  const publisher = createCaller(first.url, { cookie: await signIn(first.url, { email, password }) });
  const sessions = await publisher.call("GET", "/api/auth/list-sessions", z.array(z.unknown()));
  expect(sessions, "sessions of whoever signed in first").toHaveLength(1);
  const waiting = await publisher.call("GET", `/v1/workspaces/${workspaceId}/review-queue`, z.unknown());
  const chosen = { currentPassword: password, newPassword: "chosen by its publisher" };
  await publisher.call("POST", "/api/auth/change-password", z.unknown(), chosen);
  await first.stop();
  const second = await startInstallation({ dataDir, environment, port: first.port });

  for (const figure of ["Impressions", "Clicks", "Visitors"]) {
    expect(page).toMatch(new RegExp(`<dt>${figure}</dt><dd>[1-9][0-9,]*</dd>`));
  }
  expect(waiting).toMatchObject({ ads: 1, revisions: 1 });
  expect(second.stdout).toMatch(WORKSPACE);
  expect(second.stdout).not.toContain("Sign in");
  await second.stop();
});

it("looks like a site's that has been selling for months, in money, counts, names and images", async () => {
  const installation = await startInstallation({ dataDir: await aFolder(), environment });
  const [, workspaceId] = WORKSPACE.exec(installation.stdout) ?? [];
  const key = KEY.exec(installation.stdout)?.[1] ?? "";
  const { call } = createCaller(installation.url, { authorization: `Bearer ${key}` });
  const path = `/v1/workspaces/${workspaceId}`;
  const invoiceList = z.object({
    total: z.number(),
    items: z.array(z.object({ amountPaid: z.number(), issuedAt: z.string() })),
  });
  const advertiserList = z.object({
    items: z.array(z.object({ createdAt: z.string(), totals: z.object({ lifetimeAmount: z.number() }) })),
  });
  const served = z.object({
    ads: z.array(z.object({ name: z.string(), meta: z.record(z.string(), z.unknown()) })),
  });

  const invoices = await vi.waitFor(
    async () => {
      const found = await call("GET", `${path}/invoices?perPage=100`, invoiceList);
      expect(found.total).toBe(INVOICES);
      return found.items;
    },
    { timeout: 20_000, interval: 200 },
  );
  const { items: advertisers } = await call("GET", `${path}/advertisers`, advertiserList);
  const { ads } = await call("GET", `${path}/ads/serving?count=50`, served);
  const stats = await call("GET", `${path}/stats?days=365`, adStats);
  const shown = await Promise.all(ads.map(({ meta }) => fetch(String(meta.image))));

  const daysAgo = (moment: string) => (Date.now() - Date.parse(moment)) / 86_400_000;
  const sumWithin = (days: number) =>
    invoices
      .filter(({ issuedAt }) => daysAgo(issuedAt) <= days)
      .reduce((sum, { amountPaid }) => sum + amountPaid, 0);
  const [week, month, year] = [sumWithin(7), sumWithin(31), sumWithin(366)];
  expect(week).toBeGreaterThan(0);
  expect(month).toBeGreaterThan(week);
  expect(year).toBeGreaterThan(month);
  expect(year).toBe(CHARGED);
  expect(advertisers.reduce((sum, { totals }) => sum + totals.lifetimeAmount, 0)).toBe(CHARGED);
  expect(Math.max(...advertisers.map(({ createdAt }) => daysAgo(createdAt)))).toBeGreaterThan(180);
  expect(new Set(ads.map(({ name }) => name[0])).size).toBe(ads.length);
  expect(shown.map(({ status, headers }) => [status, headers.get("content-type")])).toEqual(
    ads.map(() => [200, "image/png"]),
  );
  const firstDay = stats.rows.findIndex(({ impressions }) => impressions > 0);
  expect(stats.rows.length - firstDay).toBeGreaterThan(180);
  expect(stats.rows.slice(firstDay).every(({ impressions }) => impressions > 0)).toBe(true);
  await installation.stop();
}, 300_000);

it("makes the demo again after a first start that was killed while making it", async () => {
  const dataDir = await aFolder();
  const first = await launchInstallation({ dataDir, environment });
  await vi.waitUntil(() => hasSoldSomething(first.port), { timeout: 60_000, interval: 10 });

  await first.killTree();
  const second = await startInstallation({ dataDir, environment, port: first.port });

  expect(first.stdout).toBe("");
  expect(second.stdout).toMatch(KEY);
  const [serve = ""] = curlLines(second.stdout);
  expect(servedAds.parse(await paste(serve.replace("count=3", "count=50"))).ads).toHaveLength(6);
  await second.stop();
}, 300_000);
