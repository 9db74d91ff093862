import { expect, it, vi } from "vitest";
import { auditEntry } from "#libs/contract/audit.ts";
import { member } from "#libs/contract/members.ts";
import { pageOf } from "#libs/contract/query.ts";
import { report } from "#libs/contract/reports.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { type EventPlace, NO_PLACE } from "#libs/domain/event-place.ts";
import type { ReportEmail } from "#libs/domain/report-emails.ts";
import type { RateRule } from "#libs/limits/index.ts";
import type { ReportRequest } from "#libs/stats-store/index.ts";
import { aMember } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { anApprovedAd, aPublisher, endSubscriptions, type Publisher } from "../../tests/story.ts";
import { insertEvents } from "../tests/insert-events.ts";
import { reportWorkspace, startReports } from "./send.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { db, stats } = service.services;

/** The hour in which it is six on Monday, 2 March 2026 in Kathmandu. */
const MONDAY = { _cron: { ts: "2026-03-02T01:05:00.000Z" } };
const WEEK = "2026-02-23";

async function aPublisherIn(timeZone: string | null, name = "Heron Weekly") {
  const publisher = await aPublisher(service, name);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { timeZone });
  return publisher;
}

/** Counts an ad's impressions at a time, and at most one click. */
async function count(
  { workspace }: Publisher,
  adId: string,
  time: string,
  {
    impressions,
    clicks = 0,
    place = {},
  }: { impressions: number; clicks?: number; place?: Partial<EventPlace> },
) {
  const event = (kind: "impression" | "click") =>
    ({
      workspaceId: workspace.id,
      adId,
      kind,
      verdict: "valid",
      occurredAt: Date.parse(time),
      source: "page",
      place: { ...NO_PLACE, ...place },
    }) as const;
  await insertEvents(stats, [
    ...Array.from({ length: impressions }, () => event("impression")),
    ...Array.from({ length: clicks }, () => event("click")),
  ]);
}

const choose = (publisher: Publisher, { path }: { readonly path: string }, reportEmails: ReportEmail[]) =>
  publisher.person.caller.ok(member, "PATCH", `${path}/report-emails`, { reportEmails });

/** The mails to somebody about what ads had, once every job is done. */
async function reportsTo(email: string) {
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select from graphile_worker.jobs where task_identifier in ('mail', 'workspace-reports')",
    );
    expect(rows).toEqual([]);
  }, 10_000);
  const mails = await service.readMails();
  return mails.filter(({ to, subject }) => to === email && /: (the|your) ads on/.test(subject));
}

it("tells members of the last week what the report of that week says, in the workspace's time zone", async () => {
  const publisher = await aPublisherIn("Asia/Kathmandu");
  const viewer = await aMember(service, publisher, "Viewer");
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, viewer, ["week"]);
  // The week begins at 18:15 on Sunday and ends a week later, in UTC.
  await count(publisher, ad.id, "2026-02-22T18:00:00Z", { impressions: 100, clicks: 5 });
  await count(publisher, ad.id, "2026-02-22T18:15:00Z", {
    impressions: 150,
    clicks: 3,
    place: { country: "NP", placement: "sidebar" },
  });
  await count(publisher, ad.id, "2026-03-01T18:00:00Z", { impressions: 50, place: { country: "DE" } });
  await count(publisher, ad.id, "2026-03-01T18:15:00Z", { impressions: 70 });

  await startReports(db, MONDAY);

  const [mail, ...more] = await reportsTo(viewer.email);
  expect(more).toEqual([]);
  const asked = "from=2026-02-23&to=2026-03-01&compare=previous";
  const { totals } = await viewer.caller.ok(report, "GET", `${publisher.path}/reports?${asked}`);
  expect(totals.metrics).toMatchObject({ impressions: 200, clicks: 3 });
  expect(totals.comparison?.metrics).toMatchObject({ impressions: 100, clicks: 5 });
  expect(mail?.subject).toBe("The week of February 23, 2026: the ads on Heron Weekly");
  expect(mail?.text).toContain("Impressions\n  Week 200, 7 days before 100, Change +100%");
  expect(mail?.text).toContain("Clicks\n  Week 3, 7 days before 5, Change -40%");
  expect(mail?.text).toContain("CTR\n  Week 1.50%, 7 days before 5.00%, Change -70%");
  expect(mail?.text).toContain(
    "  Feb 23: 150 impressions and 3 clicks\n  Feb 24: 0 impressions and 0 clicks\n",
  );
  expect(mail?.text).toContain("  Mar 1: 50 impressions and 0 clicks\n");
  expect(mail?.text).toContain("Example Coffee\n  Impressions 200, Clicks 3, CTR 1.50%");
  expect(mail?.text).toContain(
    "By country:\n\nNepal\n  Impressions 150, Clicks 3, CTR 2.00%\nGermany\n  Impressions 50,",
  );
  expect(mail?.text).toContain("By placement:\n\nsidebar\n  Impressions 150,");
  expect(mail?.text).toContain(
    `${service.origin}/w/${publisher.workspace.id}/reports?from=2026-02-23&to=2026-03-01&zone=Asia%2FKathmandu&compare=previous\n`,
  );
  expect(mail?.text).toContain("Days in Asia/Kathmandu.");
  expect(mail?.images.map(({ id, type }) => [id, type])).toEqual([["chart@placard", "image/png"]]);
  expect(mail?.html).toContain('alt="Impressions per day in the week of February 23, 2026, 200 in all."');
});

it("sends a member what they chose, once, and none to those who chose nothing", async () => {
  const publisher = await aPublisherIn(null);
  const [weekly, both, none, gone] = [
    await aMember(service, publisher, "Viewer"),
    await aMember(service, publisher, "Manager"),
    await aMember(service, publisher, "Owner"),
    await aMember(service, publisher, "Viewer"),
  ];
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, weekly, ["week"]);
  await choose(publisher, both, ["month", "week"]);
  await choose(publisher, gone, ["week", "month"]);
  await gone.caller.request("POST", `${publisher.path}/leave`);
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", { impressions: 1 });
  const job = { workspaceId: publisher.workspace.id, period: WEEK };

  await Promise.all([reportWorkspace(service.services, job), reportWorkspace(service.services, job)]);
  await reportWorkspace(service.services, job);
  // As an older release queued it.
  await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, month: "2026-02" });

  const subjects = async (email: string) =>
    (await reportsTo(email)).map(({ subject }) => subject.split(":")[0]);
  expect(await subjects(weekly.email)).toEqual(["The week of February 23, 2026"]);
  expect((await subjects(both.email)).toSorted()).toEqual(["February 2026", "The week of February 23, 2026"]);
  expect(await subjects(none.email)).toEqual([]);
  expect(await subjects(gone.email)).toEqual([]);
});

it("leaves the ads out where there are more than a report tells apart, and sends the rest", async () => {
  const publisher = await aPublisherIn(null);
  const viewer = await aMember(service, publisher, "Viewer");
  await choose(publisher, viewer, ["week"]);
  const found = { start: 0, keys: ["ad_1"], impressions: 7, clicks: 1, invalid: 0 };
  const many = Array.from({ length: 20_001 }, (_, n) => ({ ...found, keys: [`ad_${n}`] }));
  const crowded = {
    firstCounted: async () => Date.parse("2026-01-01T00:00:00Z"),
    splitRetentionDays: async () => 2,
    mostCounted: async () => [],
    countsByAd: async () => [],
    reportCounts: async ({ groupBy, starts }: ReportRequest) =>
      groupBy.length > 0 ? many : [{ ...found, keys: [], start: starts?.[0] ?? 0 }],
  };

  await reportWorkspace(
    { ...service.services, stats: crowded },
    { workspaceId: publisher.workspace.id, period: WEEK },
  );

  const [mail] = await reportsTo(viewer.email);
  expect(mail?.text).toContain("Impressions\n  Week 7, 7 days before 7, Change 0%");
  expect(mail?.text).not.toMatch(/By country|Impressions 7, Clicks 1/);
});

it("sends nothing of a period in which nothing was counted", async () => {
  const publisher = await aPublisherIn(null);
  const viewer = await aMember(service, publisher, "Viewer");
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, viewer, ["week", "month"]);
  await count(publisher, ad.id, "2026-01-26T12:00:00Z", { impressions: 1 });

  await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, period: WEEK });

  expect(await reportsTo(viewer.email)).toEqual([]);
  expect(await reportsTo(ad.checkout.email)).toEqual([]);
});

it("drops and counts a member's report over the limit of the address, and sends none to the suspended", async () => {
  const publisher = await aPublisherIn(null);
  const [limited, suspended] = [
    await aMember(service, publisher, "Viewer"),
    await aMember(service, publisher, "Viewer"),
  ];
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, limited, ["week"]);
  await choose(publisher, suspended, ["week"]);
  await db
    .updateTable("people")
    .set({ suspended_at: new Date() })
    .where("email", "=", suspended.email)
    .execute();
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", { impressions: 1 });
  const limits = {
    ...service.services.limits,
    consume: async ({ name, points }: RateRule) => ({
      allowed: name !== "mail-report",
      limit: points,
      remaining: 0,
      resetMs: 1,
    }),
  };

  await reportWorkspace(
    { ...service.services, limits },
    { workspaceId: publisher.workspace.id, period: WEEK },
  );

  expect(await reportsTo(limited.email)).toEqual([]);
  const { text } = await publisher.caller.request("GET", `${publisher.path}/dropped-emails`);
  expect(JSON.parse(text).items).toMatchObject([
    { recipient: "publisher", kind: "report", reason: "limit", emails: 1 },
  ]);
});

it("ends a member's reports by one click of a mailbox, and no others", async () => {
  const publisher = await aPublisherIn(null, "Curlew Weekly");
  const viewer = await aMember(service, publisher, "Viewer");
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, viewer, ["week", "month"]);
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", { impressions: 1 });
  await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, period: WEEK });
  const [mail] = await reportsTo(viewer.email);
  const url = mail?.headers["list-unsubscribe"]?.slice(1, -1) ?? "";

  const opened = await fetch(url);
  const clicked = await fetch(url, {
    method: "POST",
    body: new URLSearchParams({ "List-Unsubscribe": "One-Click" }),
  });
  const again = await fetch(url, { method: "POST" });
  await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, period: "2026-02" });

  expect(await opened.text()).toContain("Stop the reports about the ads on Curlew Weekly?");
  expect([clicked.status, again.status]).toEqual([200, 200]);
  expect(await clicked.text()).toContain("receive any more reports about the ads on Curlew Weekly.");
  expect(await reportsTo(viewer.email)).toHaveLength(1);
  expect(await reportsTo(ad.checkout.email)).toHaveLength(1);
  const log = await publisher.caller.ok(
    pageOf(auditEntry),
    "GET",
    `${publisher.path}/audit-log?action=member.update`,
  );
  expect(log.items.map(({ actor, before, after }) => [actor.name, before, after])).toEqual([
    ["A Viewer", { reportEmails: ["week", "month"] }, { reportEmails: [] }],
    ["Ada Example", { reportEmails: [] }, { reportEmails: ["week", "month"] }],
  ]);
});

it("sends an advertiser who chose it the week in place of the month, with the splits that the publisher allows", async () => {
  const publisher = await aPublisherIn(null);
  const ad = await anApprovedAd(service, publisher);
  const page = `/advertise/${publisher.workspace.id}/checkout/${ad.checkout.sessionId}/report`;
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    advertiserSplits: ["placement", "country"],
  });
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", {
    impressions: 120,
    clicks: 4,
    place: { country: "NP", device: "phone" },
  });
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", {
    impressions: 3,
    place: { country: "NO", device: "phone" },
  });
  const job = { workspaceId: publisher.workspace.id, period: WEEK };

  await reportWorkspace(service.services, job);
  expect(await reportsTo(ad.checkout.email)).toEqual([]);
  const saved = await fetch(`${service.origin}${page}/emails`, {
    method: "POST",
    body: new URLSearchParams({ choice: "week" }),
    redirect: "manual",
  });
  await reportWorkspace(service.services, job);
  await reportWorkspace(service.services, { ...job, period: "2026-02" });

  expect(saved.status).toBe(303);
  const [mail, ...more] = await reportsTo(ad.checkout.email);
  expect(more).toEqual([]);
  expect(mail?.subject).toBe("The week of February 23, 2026: your ads on Heron Weekly");
  expect(mail?.text).toContain("Example Coffee\n  Impressions 123, Clicks 4, CTR 3.25%");
  expect(mail?.text).toContain(
    "By country:\n\nNepal\n  Impressions 120, Clicks <5, CTR –\nNorway\n  Impressions <5, Clicks <5, CTR –",
  );
  expect(mail?.text).not.toMatch(/By (placement|device)/);
  expect(mail?.text).toContain(`${service.origin}${page}?from=2026-02-23&to=2026-03-01&per=day\n`);
  expect((await fetch(`${service.origin}${page}?from=2026-02-23&to=2026-03-01&per=day`)).status).toBe(200);
});

it("reports an ad to its advertiser whose events are of a UTC day beside the local days", async () => {
  const publisher = await aPublisherIn("Asia/Kathmandu");
  const ad = await anApprovedAd(service, publisher);
  await db
    .updateTable("advertisers")
    .set({ report_email: "week" })
    .where("email", "=", ad.checkout.email)
    .execute();
  await count(publisher, ad.id, "2026-02-22T18:20:00Z", { impressions: 7 });

  await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, period: WEEK });

  expect((await reportsTo(ad.checkout.email)).map(({ text }) => text.includes("7 impressions"))).toEqual([
    true,
  ]);
});

it("sends advertisers none while the publisher has turned them off, and members theirs", async () => {
  const publisher = await aPublisherIn(null);
  const viewer = await aMember(service, publisher, "Viewer");
  const ad = await anApprovedAd(service, publisher);
  await choose(publisher, viewer, ["month"]);
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    mails: { monthlyReports: false },
  });
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", { impressions: 1 });

  await startReports(db, { _cron: { ts: "2026-03-01T06:05:00.000Z" } });

  expect(await reportsTo(viewer.email)).toHaveLength(1);
  expect(await reportsTo(ad.checkout.email)).toEqual([]);
});

it("sends nothing to an advertiser who is erased while the reports are made", async () => {
  const publisher = await aPublisherIn(null);
  const ad = await anApprovedAd(service, publisher);
  await count(publisher, ad.id, "2026-02-26T12:00:00Z", { impressions: 50 });
  await endSubscriptions(service, [ad.id]);
  const { id } = await db
    .selectFrom("advertisers")
    .where("email", "=", ad.checkout.email)
    .select("id")
    .executeTakeFirstOrThrow();
  const erasing = {
    ...stats,
    async reportCounts(...request: Parameters<typeof stats.reportCounts>) {
      await publisher.person.caller.request("DELETE", `${publisher.path}/advertisers/${id}`);
      return await stats.reportCounts(...request);
    },
  };

  await reportWorkspace(
    { ...service.services, stats: erasing },
    { workspaceId: publisher.workspace.id, period: "2026-02" },
  );

  expect(await reportsTo(ad.checkout.email)).toEqual([]);
  const { erased_at } = await db
    .selectFrom("advertisers")
    .where("id", "=", id)
    .select("erased_at")
    .executeTakeFirstOrThrow();
  expect(erased_at).not.toBeNull();
});

it("counts the advertisers by what they have chosen", async () => {
  const publisher = await aPublisherIn(null);
  const ads = [
    await anApprovedAd(service, publisher),
    await anApprovedAd(service, publisher),
    await anApprovedAd(service, publisher),
  ];
  const [weekly, never] = ads;
  const say = (ad: (typeof ads)[number] | undefined, choice: string) =>
    fetch(
      `${service.origin}/advertise/${publisher.workspace.id}/checkout/${ad?.checkout.sessionId}/report/emails`,
      { method: "POST", body: new URLSearchParams({ choice }) },
    );

  await say(weekly, "week");
  await say(weekly, "hourly");
  await say(never, "never");

  const { text } = await publisher.caller.request("GET", `${publisher.path}/report-emails`);
  expect(JSON.parse(text)).toEqual({ advertisers: { week: 1, month: 1, never: 1 } });
});
