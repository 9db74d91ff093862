import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { newId } from "#libs/domain/ids.ts";
import type { StatsWindow } from "#libs/domain/stats-window.ts";
import { type AudienceCount, createStatsStore, type StatsStore } from "#libs/stats-store/index.ts";
import { createAudience } from "./audience.ts";

const { db } = await createTestDatabase();
const NOON = Date.UTC(2026, 10, 21, 12);
const COUNTS: AudienceCount = { impressions: 1200, clicks: 34, visitors: 900 };

async function aWorkspace(): Promise<string> {
  const id = newId("workspace");
  const slug = id.replace("_", "-");
  await db
    .insertInto("workspaces")
    .values({ id, name: "Example Weekly", slug, currency: "usd", audience_public: true })
    .execute();
  return id;
}

/** The reader of audiences over a store that answers by `answer`, and what the store was asked for. */
function anAudience(answer: () => Promise<AudienceCount>) {
  const away = { url: "http://127.0.0.1:1", username: "nobody", password: "", database: "placard" };
  const asked: [string, StatsWindow][] = [];
  const stats: StatsStore = {
    ...createStatsStore(away),
    async audienceOfWorkspace(workspaceId, days) {
      asked.push([workspaceId, days]);
      return await answer();
    },
  };
  const ports = { db, stats, logger: pino({ level: "silent" }), now: () => NOON };
  return { read: createAudience(ports), asked };
}

it("asks for 30 days of a workspace once, for any number of visitors", async () => {
  const workspaceId = await aWorkspace();
  const under = anAudience(async () => COUNTS);

  const shown = await Promise.all(Array.from({ length: 20 }, () => under.read(workspaceId)));
  const later = await under.read(workspaceId);

  expect(new Set([...shown, later].map((one) => JSON.stringify(one)))).toEqual(
    new Set([JSON.stringify({ days: 30, ...COUNTS })]),
  );
  expect(under.asked).toEqual([[workspaceId, { from: "2026-10-23", to: "2026-11-21" }]]);
});

it("keeps workspaces apart", async () => {
  const [one, other] = [await aWorkspace(), await aWorkspace()];
  const under = anAudience(async () => COUNTS);

  await under.read(one);
  await under.read(other);

  expect(under.asked.map(([workspaceId]) => workspaceId)).toEqual([one, other]);
});

it("shows nothing while the stats store fails, and does not ask it again for each visitor", async () => {
  const workspaceId = await aWorkspace();
  const under = anAudience(async () => {
    throw new Error("the store is away");
  });

  const shown = [await under.read(workspaceId), await under.read(workspaceId)];

  expect(shown).toEqual([null, null]);
  expect(under.asked).toHaveLength(1);
});

it("does not let a page wait for slow stats, and has them for the next one", async () => {
  const workspaceId = await aWorkspace();
  const { promise, resolve } = Promise.withResolvers<AudienceCount>();
  const under = anAudience(() => promise);

  const early = await under.read(workspaceId);
  resolve(COUNTS);

  expect(early).toBeNull();
  await vi.waitFor(
    async () => expect(await under.read(workspaceId)).toEqual({ days: 30, ...COUNTS }),
    20_000,
  );
  expect(under.asked).toHaveLength(1);
});
