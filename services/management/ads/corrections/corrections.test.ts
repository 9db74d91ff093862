import { expect, it } from "vitest";
import { adStats, adTraffic } from "#libs/contract/ad.ts";
import { correction } from "#libs/contract/corrections.ts";
import { pageOf } from "#libs/contract/query.ts";
import { encodeEventRow } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { insertEvents } from "../../reports/tests/insert-events.ts";
import { actionsOn } from "../../tests/audit-trail.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher, type Publisher } from "../../tests/story.ts";
import { proposeCorrections } from "./propose.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const DAY_MS = 86_400_000;
const NOW = Date.now();
const day = (ago: number) => new Date(NOW - ago * DAY_MS).toISOString().slice(0, 10);

async function views({ workspace }: Publisher, adId: string, ago: number, count: number): Promise<void> {
  const event = {
    workspaceId: workspace.id,
    adId,
    kind: "impression",
    verdict: "valid",
    occurredAt: Date.parse(`${day(ago)}T12:00:00Z`),
    source: "page",
    place: NO_PLACE,
  } as const;
  await insertEvents(
    service.services.stats,
    Array.from({ length: count }, () => event),
  );
}

/** Clicks of one visitor on the day before. */
async function clicks({ workspace }: Publisher, adId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, () =>
    encodeEventRow({
      id: newId("event"),
      workspaceId: workspace.id,
      adId,
      kind: "click",
      verdict: "valid",
      visitor: "a".repeat(16),
      occurredAt: Date.parse(`${day(1)}T12:00:00Z`),
      source: "page",
      place: NO_PLACE,
    }),
  );
  await service.services.stats.insertRange({
    token: crypto.randomUUID(),
    rows: [Buffer.from(rows.join(""))],
  });
}

it("leaves corrected days out of every figure until the correction is revoked", async () => {
  const publisher = await aPublisher(service);
  const { caller } = publisher;
  const ad = await anApprovedAd(service, publisher);
  await views(publisher, ad.id, 3, 5);
  await views(publisher, ad.id, 1, 2);
  const figures = async () => {
    const stats = await caller.ok(adStats, "GET", `${ad.path}/stats?days=7`);
    const traffic = await caller.ok(adTraffic, "GET", `${ad.path}/traffic?days=7`);
    return [stats.totals.impressions, traffic.totals.valid, traffic.totals.corrected];
  };
  const before = await figures();

  const made = await caller.ok(correction, "POST", `${ad.path}/corrections`, {
    from: day(4),
    to: day(3),
    reason: "A crawler.",
  });
  const corrected = await figures();
  const listed = await caller.ok(pageOf(correction), "GET", `${ad.path}/corrections`);
  await caller.request("DELETE", `${ad.path}/corrections/${made.id}`);

  expect(before).toEqual([7, 7, 0]);
  expect(corrected).toEqual([2, 2, 5]);
  expect(listed.items).toEqual([made]);
  expect(await figures()).toEqual(before);
  const { items } = await caller.ok(pageOf(correction), "GET", `${ad.path}/corrections`);
  expect(items).toEqual([]);
  expect((await actionsOn(service, ad.id)).slice(-2)).toEqual(["correction.apply", "correction.revoke"]);
});

it("leaves corrected days out of all that management counts by", async () => {
  const publisher = await aPublisher(service);
  const ad = await anApprovedAd(service, publisher);
  const { stats } = service.services;
  const { id } = publisher.workspace;
  const days = { from: day(1), to: day(1) };
  await clicks(publisher, ad.id, 5);
  const groups = {
    workspaceId: id,
    groupBy: ["verdict"],
    where: [{ by: "verdict", is: true, values: ["valid"] }],
  } as const;
  const span = { from: Date.parse(day(1)), until: Date.parse(day(0)) };
  const counts = async () => [
    await stats.dailyOfAd(id, ad.id, days),
    await stats.dailyOfWorkspace(id, days),
    await stats.countsByAd(id, days),
    await stats.countsOfAds(id, [ad.id]),
    await stats.topAds(id, days, "clicks", 1),
    (await stats.trafficOfAd(id, ad.id, days)).filter(({ verdict }) => verdict === "valid"),
    (await stats.trafficOfWorkspace(id, days)).filter(({ verdict }) => verdict === "valid"),
    (({ clicks: all, visitors }) => (all + visitors === 0 ? [] : [all]))(
      await stats.audienceOfWorkspace(id, days),
    ),
    (await stats.visitorsOfAd(id, ad.id, days)) === 0 ? [] : [1],
    await stats.reportCounts({ ...groups, ...span }, 10),
    await stats.mostCounted({ ...groups, groupBy: ["device"] }, [span], 10),
  ];
  const before = await counts();

  await publisher.caller.ok(correction, "POST", `${ad.path}/corrections`, {
    from: day(1),
    to: day(1),
    reason: "A crawler.",
  });

  expect(before.map(({ length }) => length)).toEqual(Array.from(before, () => 1));
  expect(await counts()).toEqual(Array.from(before, () => []));
});

it("corrects no other ad, and none of another workspace", async () => {
  const publisher = await aPublisher(service);
  const neighbour = await aPublisher(service, "Magpie Weekly");
  const ad = await anApprovedAd(service, publisher);
  const other = await anApprovedAd(service, publisher);
  await views(publisher, other.id, 1, 3);
  const body = { from: day(1), to: day(1), reason: "A crawler." };

  await publisher.caller.ok(correction, "POST", `${ad.path}/corrections`, body);
  const elsewhere = await neighbour.caller.request(
    "POST",
    `${neighbour.path}/ads/${ad.id}/corrections`,
    body,
  );

  expect((await publisher.caller.ok(adStats, "GET", `${other.path}/stats?days=7`)).totals.impressions).toBe(
    3,
  );
  expect(elsewhere.status).toBe(404);
});

it("proposes the day before where one visitor clicked conspicuously often, once, and counts it until somebody applies it", async () => {
  const publisher = await aPublisher(service);
  const { caller } = publisher;
  const ad = await anApprovedAd(service, publisher);
  const quiet = await anApprovedAd(service, publisher);
  await clicks(publisher, ad.id, 20);
  await clicks(publisher, quiet.id, 19);
  const list = async () => (await caller.ok(pageOf(correction), "GET", `${ad.path}/corrections`)).items;
  const counted = async () => (await caller.ok(adStats, "GET", `${ad.path}/stats?days=7`)).totals.clicks;

  await proposeCorrections(service.services);
  const [proposed] = await list();
  const before = await counted();
  await caller.request("DELETE", `${ad.path}/corrections/${proposed?.id}`);
  await caller.ok(correction, "POST", `${ad.path}/corrections/${proposed?.id}/apply`);
  const applied = await counted();
  await caller.request("DELETE", `${ad.path}/corrections/${proposed?.id}`);
  await proposeCorrections(service.services);

  expect(proposed).toMatchObject({
    from: day(1),
    to: day(1),
    status: "Proposed",
    reason: "One visitor made 20 clicks.",
  });
  expect([before, applied, await counted()]).toEqual([20, 0, 20]);
  expect((await list()).map(({ status }) => status)).toEqual(["Dismissed"]);
  expect((await caller.ok(pageOf(correction), "GET", `${quiet.path}/corrections`)).items).toEqual([]);
  // A dismissal changes no figure.
  expect((await actionsOn(service, ad.id)).slice(-3)).toEqual([
    "ad.approve",
    "correction.apply",
    "correction.revoke",
  ]);
});

it.each([
  ["no date", { from: "2026-02-30", to: day(1), reason: "A crawler." }, "from"],
  ["an end before the beginning", { from: day(1), to: day(2), reason: "A crawler." }, "to"],
  ["more than a year", { from: "2025-01-01", to: "2026-01-02", reason: "A crawler." }, "to"],
  ["no reason", { from: day(1), to: day(1), reason: " " }, "reason"],
])("refuses %s", async (_what, body, field) => {
  const publisher = await aPublisher(service);
  const ad = await anApprovedAd(service, publisher);

  expect(await publisher.caller.invalid("POST", `${ad.path}/corrections`, body)).toEqual([field]);
});

it("lists what applies first, then proposals, then what was dismissed", async () => {
  const publisher = await aPublisher(service);
  const { id } = await anApprovedAd(service, publisher);
  for (const status of ["Dismissed", "Applied", "Proposed", "Dismissed"] as const) {
    const days = { first_day: day(9), last_day: day(9) };
    const row = { id: newId("correction"), workspace_id: publisher.workspace.id, ad_id: id, status, ...days };
    await service.database.db
      .insertInto("corrections")
      .values({ ...row, reason: "A crawler." })
      .execute();
  }

  const { items } = await publisher.caller.ok(
    pageOf(correction),
    "GET",
    `${publisher.path}/ads/${id}/corrections`,
  );

  expect(items.map(({ status }) => status)).toEqual(["Applied", "Proposed", "Dismissed", "Dismissed"]);
});

it("applies 100 corrections of a workspace at most, and answers a repeated request as before", async () => {
  const publisher = await aPublisher(service);
  const { caller, workspace } = publisher;
  const ad = await anApprovedAd(service, publisher);
  const body = { from: day(1), to: day(1), reason: "A crawler." };
  const insert = async (count: number, status: "Applied" | "Dismissed") => {
    const ids = Array.from({ length: count }, () => newId("correction"));
    const common = { workspace_id: workspace.id, ad_id: ad.id, reason: "A crawler.", status };
    const days = { first_day: day(9), last_day: day(9) };
    await service.database.db
      .insertInto("corrections")
      .values(ids.map((id) => ({ id, ...common, ...days })))
      .execute();
    return ids;
  };
  const [applied] = await insert(99, "Applied");
  const [dismissed] = await insert(1, "Dismissed");

  const last = await caller.request("POST", `${ad.path}/corrections`, body);
  const refused = await caller.refused(409, "POST", `${ad.path}/corrections`, body);
  await caller.refused(409, "POST", `${ad.path}/corrections/${dismissed}/apply`);
  const again = await caller.request("POST", `${ad.path}/corrections/${applied}/apply`);

  expect(last.status).toBe(200);
  expect(refused.data?.formErrors).toEqual(["A workspace has at most 100 corrections that are applied."]);
  expect(again.status).toBe(200);
});
