import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "../../services/standalone/tests/installation.ts";
import { aPublisherWithAds } from "../../services/standalone/tests/publisher.ts";
import { sendRaw } from "./raw-request.ts";

const DASHBOARD = join(import.meta.dirname, "../../services/dashboard/dist/assets");
const SIGN_INS = 200;
/** What a visitor's impression may take while others sign in, at the 99th percentile. */
const IMPRESSION_MS = 100;
const FILE_MS = 1_000;

it("records impressions and serves files while 200 strangers of one site sign in at once", async () => {
  const { url } = await startInstallation({
    dataDir: await aFolder(),
    environment: { TRUST_PROXY: "127.0.0.1" },
  });
  const { adIds } = await aPublisherWithAds(url, 1);
  const file = `/assets/${readdirSync(DASHBOARD).find((name) => name.endsWith(".js"))}`;
  const impression = { method: "POST", target: `/v1/ads/${adIds[0]}/impressions` };
  const from = (address: string) => ({ "x-forwarded-for": address, "user-agent": "Firefox/140.0" });

  let pending = true;
  const flood = Promise.all(
    Array.from({ length: SIGN_INS }, async (_, n) => {
      const { status } = await fetch(`${url}/api/auth/sign-in/email`, {
        method: "POST",
        headers: { "content-type": "application/json", ...from(`2001:db8:1:${n.toString(16)}::1`) },
        body: JSON.stringify({ email: `${n}@example.com`, password: "correct horse battery" }),
      });
      return status;
    }),
  ).finally(() => {
    pending = false;
  });
  const impressions: number[] = [];
  const files: number[] = [];
  while (pending) {
    const visitor = from(`203.0.113.${impressions.length % 250}`);
    const { status, tookMs } = await sendRaw(url, { ...impression, headers: visitor });
    expect(status).toBe(200);
    impressions.push(tookMs);
    if (impressions.length % 20 !== 0) continue;
    const answer = await sendRaw(url, { method: "GET", target: file, headers: visitor });
    expect(answer.status).toBe(200);
    files.push(answer.tookMs);
  }
  const statuses = await flood;

  const p99 = percentile(impressions, 0.99);
  process.stdout.write(
    `${impressions.length} impressions, p50 ${percentile(impressions, 0.5)} ms, p99 ${p99} ms; ${files.length} files, the longest ${percentile(files, 1)} ms; sign-ins ${JSON.stringify(countsOf(statuses))}\n`,
  );
  expect(p99).toBeLessThan(IMPRESSION_MS);
  expect(percentile(files, 1)).toBeLessThan(FILE_MS);
  // One site has half of the places for hashes.
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(20);
  expect(statuses.filter((status) => ![401, 429, 503].includes(status))).toEqual([]);
});

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.ceil(sorted.length * share) - 1] ?? 0);
}

function countsOf(statuses: readonly number[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
