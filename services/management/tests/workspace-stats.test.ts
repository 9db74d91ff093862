import { expect, it } from "vitest";
import { adStats, adTraffic } from "#libs/contract/ad.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { workspaceStats } from "#libs/contract/stats.ts";
import { type EventKind, encodeEventRow, perVerdict, type Verdict } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { createAudience } from "../selling/offer/audience.ts";
import { startManagement } from "./management.ts";
import { anApprovedAd, aPublisher } from "./story.ts";

const DAY = 86_400_000;
const NONE = perVerdict(() => 0);
const service = await startManagement({ unlimited: true, stats: "real" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const neighbour = await aPublisher(service, "Another Weekly");
const first = await anApprovedAd(service, publisher);
const second = await anApprovedAd(service, publisher);
const quiet = await anApprovedAd(service, publisher);
const theirs = await anApprovedAd(service, neighbour);

interface Happened {
  readonly workspaceId: string;
  readonly adId: string;
  readonly kind: EventKind;
  readonly verdict: Verdict;
  readonly daysAgo: number;
  readonly visitors: readonly number[];
}

const today = Date.now();
const atMidnight = (daysAgo: number) =>
  new Date(Math.floor((today - daysAgo * DAY) / DAY) * DAY).toISOString();

async function count(...all: Happened[]): Promise<void> {
  const rows = all.flatMap(({ visitors, daysAgo, ...event }) =>
    visitors.map((visitor) =>
      Buffer.from(
        encodeEventRow({
          ...event,
          id: newId("event"),
          visitor: visitor.toString(16).padStart(16, "0"),
          // Well inside the UTC day.
          occurredAt: Date.parse(atMidnight(daysAgo)) + 1000,
          source: "page",
          place: NO_PLACE,
        }),
      ),
    ),
  );
  await service.services.stats.insertRange({ token: crypto.randomUUID(), rows });
}

const ours = { workspaceId: publisher.workspace.id };
const ofFirst = { ...ours, adId: first.id };
await count(
  { ...ofFirst, kind: "impression", verdict: "valid", daysAgo: 0, visitors: [1, 2, 3] },
  { ...ofFirst, kind: "click", verdict: "valid", daysAgo: 0, visitors: [1] },
  { ...ofFirst, kind: "impression", verdict: "bot", daysAgo: 0, visitors: [7, 8] },
  { ...ofFirst, kind: "impression", verdict: "duplicate", daysAgo: 0, visitors: [1] },
  { ...ofFirst, kind: "impression", verdict: "prefetch", daysAgo: 1, visitors: [2] },
  { ...ofFirst, kind: "click", verdict: "not_serving", daysAgo: 1, visitors: [4] },
  { ...ofFirst, kind: "impression", verdict: "network", daysAgo: 1, visitors: [9] },
  { ...ofFirst, kind: "impression", verdict: "valid", daysAgo: 2, visitors: [4, 5] },
  { ...ofFirst, kind: "impression", verdict: "valid", daysAgo: 40, visitors: [6] },
  { ...ours, adId: second.id, kind: "impression", verdict: "valid", daysAgo: 0, visitors: [1, 2, 3, 4, 5] },
  { ...ours, adId: quiet.id, kind: "impression", verdict: "bot", daysAgo: 0, visitors: [7] },
  {
    workspaceId: neighbour.workspace.id,
    adId: theirs.id,
    kind: "impression",
    verdict: "valid",
    daysAgo: 0,
    visitors: [1],
  },
);

it("counts valid events a UTC day, oldest first, zero-filled, today included", async () => {
  const stats = await caller.ok(adStats, "GET", `${first.path}/stats?days=4`);

  expect(stats).toEqual({
    days: 4,
    rows: [
      { date: atMidnight(3), impressions: 0, clicks: 0 },
      { date: atMidnight(2), impressions: 2, clicks: 0 },
      { date: atMidnight(1), impressions: 0, clicks: 0 },
      { date: atMidnight(0), impressions: 3, clicks: 1 },
    ],
    totals: { impressions: 5, clicks: 1 },
  });
});

it("takes 30 days by default and 1 to 365, and refuses the rest with 422", async () => {
  const byDefault = await caller.ok(adStats, "GET", `${first.path}/stats`);
  const year = await caller.ok(adStats, "GET", `${first.path}/stats?days=365`);
  const day = await caller.ok(adStats, "GET", `${first.path}/stats?days=1`);

  expect([byDefault.days, byDefault.rows.length, byDefault.totals.impressions]).toEqual([30, 30, 5]);
  expect([year.rows.length, year.totals.impressions]).toEqual([365, 6]);
  expect(day.rows).toEqual([{ date: atMidnight(0), impressions: 3, clicks: 1 }]);
  for (const of of [`${first.path}/stats`, `${first.path}/traffic`, `${path}/stats`, `${path}/traffic`]) {
    for (const days of ["0", "366", "-1", "1.5", "1e2", "x", "", "%00"]) {
      expect(await caller.invalid("GET", `${of}?days=${days}`)).toEqual(["days"]);
    }
  }
});

it("sums a workspace's ads by day and by ad, and no other workspace's", async () => {
  const stats = await caller.ok(workspaceStats, "GET", `${path}/stats?days=3`);

  expect(stats).toEqual({
    days: 3,
    rows: [
      { date: atMidnight(2), impressions: 2, clicks: 0 },
      { date: atMidnight(1), impressions: 0, clicks: 0 },
      { date: atMidnight(0), impressions: 8, clicks: 1 },
    ],
    totals: { impressions: 10, clicks: 1 },
    ads: expect.arrayContaining([
      { adId: first.id, impressions: 5, clicks: 1 },
      { adId: second.id, impressions: 5, clicks: 0 },
    ]),
  });
  expect(stats.ads).toHaveLength(2);
  expect(stats.ads[0]?.adId).toBe(first.id);
});

it("shows what was not counted, and why", async () => {
  const traffic = await caller.ok(adTraffic, "GET", `${first.path}/traffic?days=3`);

  expect(traffic).toMatchObject({
    days: 3,
    totals: { ...NONE, valid: 6, bot: 2, prefetch: 1, duplicate: 1, not_serving: 1, network: 1 },
    visitors: 5,
  });
  expect(traffic.rows.map(({ date }) => date)).toEqual(traffic.rows.map(({ date }) => date).toSorted());
  expect(traffic.rows).toHaveLength(8);
  expect(traffic.rows).toContainEqual({
    date: atMidnight(1),
    kind: "click",
    verdict: "not_serving",
    events: 1,
  });
});

it("shows the same of all ads together, with a visitor of several ads once", async () => {
  const traffic = await caller.ok(adTraffic, "GET", `${path}/traffic?days=3`);

  expect(traffic).toMatchObject({
    days: 3,
    totals: { ...NONE, valid: 11, bot: 3, prefetch: 1, duplicate: 1, not_serving: 1, network: 1 },
    visitors: 5,
  });
  expect(traffic.rows).toContainEqual({
    date: atMidnight(0),
    kind: "impression",
    verdict: "valid",
    events: 8,
  });
});

it("tells the audience of a workspace that shows it, of 30 days and valid events alone", async () => {
  const audienceOf = createAudience(service.services);
  const show = (audiencePublic: boolean) =>
    caller.ok(workspaceSettings, "PATCH", `${path}/settings`, { audiencePublic });

  const hidden = await audienceOf(ours.workspaceId);
  await show(true);
  const shown = await audienceOf(ours.workspaceId);
  await show(false);
  const hiddenAgain = await audienceOf(ours.workspaceId);

  expect(hidden).toBeNull();
  expect(shown).toEqual({ days: 30, impressions: 10, clicks: 1, visitors: 5 });
  expect(hiddenAgain).toBeNull();
  for (const unknown of [newId("workspace"), "nothing", "ws_\u0000"]) {
    expect(await audienceOf(unknown)).toBeNull();
  }
});

it("has no rows where nothing happened, and no visitors where only bots came", async () => {
  const silent = await anApprovedAd(service, publisher);

  expect(await caller.ok(adTraffic, "GET", `${silent.path}/traffic`)).toEqual({
    days: 30,
    rows: [],
    totals: NONE,
    visitors: 0,
  });
  expect(await caller.ok(adTraffic, "GET", `${quiet.path}/traffic?days=1`)).toMatchObject({
    rows: [{ date: atMidnight(0), kind: "impression", verdict: "bot", events: 1 }],
    visitors: 0,
  });
});
