import { Registry } from "prom-client";
import { expect, it, vi } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { type EventKind, encodeEventRow, type Verdict } from "#libs/domain/event.ts";
import { NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { createStatsStore } from "#libs/stats-store/index.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import {
  anApprovedAd,
  aPaidCheckout,
  aPendingAd,
  aPublisher,
  aTier,
  type Publisher,
} from "../../tests/story.ts";
import { startJobs } from "../../worker/jobs.ts";
import { sweep } from "../../worker/sweep.ts";
import { reportWorkspace, startReports } from "./send.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { db, stats } = service.services;
const anybody = new ApiCaller(service.origin);
const ABOUT = "your ads on";

/** What the scheduler gives the job, however late it runs. */
const at = (time: string) => ({ _cron: { ts: `${time}:05:00.000Z`, backfilled: true } });
/** When it is time for the reports of a month, in UTC. */
const onTheFirst = (month: string) => at(`${month}-01T06`);

let visitors = 0;

async function count(
  publisher: Publisher,
  adId: string,
  kind: EventKind,
  days: readonly string[],
  verdict: Verdict = "valid",
): Promise<void> {
  const rows = days.map((occurred) => {
    visitors += 1;
    return Buffer.from(
      encodeEventRow({
        id: newId("event"),
        workspaceId: publisher.workspace.id,
        adId,
        kind,
        verdict,
        visitor: visitors.toString(16).padStart(16, "0"),
        occurredAt: Date.parse(occurred),
        source: "page",
        place: NO_PLACE,
      }),
    );
  });
  await stats.insertRange({ token: crypto.randomUUID(), rows });
}

/** An ad that is there since before the months of these tests. */
async function anOldAd(publisher: Publisher) {
  const pending = await aPendingAd(service, publisher);
  await service.database.pool.query("update ads set created_at = '2026-01-01' where id = $1", [pending.id]);
  const { advertiser_id: advertiserId } = await db
    .selectFrom("subscriptions")
    .innerJoin("ads", "ads.subscription_id", "subscriptions.id")
    .where("ads.id", "=", pending.id)
    .select("advertiser_id")
    .executeTakeFirstOrThrow();
  return { ...pending, email: pending.checkout.email, advertiserId };
}

/** The reports to somebody, once every job that was queued is done. */
async function reportsTo(email: string) {
  await vi.waitFor(async () => {
    const { rows } = await service.database.pool.query(
      "select count(*)::int as waiting from graphile_worker.jobs where task_identifier in ('mail', 'workspace-reports')",
    );
    expect(rows[0].waiting).toBe(0);
  }, 10_000);
  const mails = await service.readMails();
  return mails.filter(({ to, subject }) => to === email && subject.includes(ABOUT));
}

/** The address that a report offers to mailboxes, on this service. */
function unsubscribePath(report: { readonly headers: Readonly<Record<string, string>> } | undefined): string {
  const url = /^<(\S+)>$/.exec(report?.headers["list-unsubscribe"] ?? "")?.[1] ?? "";
  expect(new URL(url).origin).toBe(service.origin);
  return new URL(url).pathname;
}

it("reports the month before to each advertiser whose ads were seen in it, in UTC", async () => {
  const publisher = await aPublisher(service, "Heron Weekly");
  const beans = await anOldAd(publisher);
  const quiet = await anOldAd(publisher);
  await count(publisher, beans.id, "impression", [
    "2026-02-01T00:00:00Z",
    "2026-02-14T12:00:00Z",
    "2026-02-28T23:59:59Z",
  ]);
  await count(publisher, beans.id, "click", ["2026-02-14T12:00:01Z"]);
  await count(publisher, beans.id, "impression", ["2026-01-31T23:59:59Z", "2026-03-01T00:00:00Z"]);
  await count(publisher, beans.id, "impression", ["2026-02-02T00:00:00Z"], "bot");
  await count(publisher, quiet.id, "impression", ["2026-01-15T00:00:00Z"]);
  await count(publisher, quiet.id, "impression", ["2026-02-15T00:00:00Z"], "duplicate");

  await startReports(service.services.db, onTheFirst("2026-03"));

  const [report, ...more] = await reportsTo(beans.email);
  expect(more).toEqual([]);
  expect(report?.subject).toBe("February 2026: your ads on Heron Weekly");
  expect(report?.from).toBe("Heron Weekly via Placard <placard@example.org>");
  expect(report?.text).toContain("had 3 impressions and 1 click.");
  expect(report?.text).toContain("Example Coffee\n  Impressions 3, Clicks 1, CTR –");
  expect(report?.html).toContain("CTR: from 100 impressions on.");
  expect(report?.headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
  expect(await reportsTo(quiet.email)).toEqual([]);
});

it("sums up all ads of an advertiser in one report, and keeps those of others out of it", async () => {
  const publisher = await aPublisher(service);
  const neighbour = await aPublisher(service, "Magpie Weekly");
  const first = await anOldAd(publisher);
  const again = await aPaidCheckout(
    service,
    publisher,
    (await aTier(publisher)).prices[0]?.id ?? "",
    first.email,
  );
  const second = await again.caller.request("POST", `${again.path}/ad`, {
    name: "Filters",
    websiteUrl: "https://coffee.example",
  });
  const theirs = await anOldAd(neighbour);
  await service.database.pool.query("update ads set created_at = '2026-01-01'");
  await count(publisher, first.id, "impression", ["2026-02-01T10:00:00Z"]);
  await count(publisher, JSON.parse(second.text).id, "impression", [
    "2026-02-01T10:00:00Z",
    "2026-02-02T10:00:00Z",
  ]);
  await count(neighbour, theirs.id, "impression", ["2026-02-01T10:00:00Z"]);

  await startReports(service.services.db, onTheFirst("2026-03"));

  const reports = await reportsTo(first.email);
  expect(reports).toHaveLength(1);
  expect(reports[0]?.text).toMatch(
    /Filters\n {2}Impressions 2, .*\nExample Coffee\n {2}Impressions 1, .*\nAll ads\n {2}Impressions 3,/,
  );
});

it("sends none for a publisher who has turned them off, until they are on again", async () => {
  const publisher = await aPublisher(service, "Quiet Weekly");
  const ad = await anOldAd(publisher);
  await count(publisher, ad.id, "impression", ["2026-07-10T00:00:00Z"]);
  const turn = (monthlyReports: boolean) =>
    publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
      mails: { monthlyReports },
    });

  await turn(false);
  await startReports(service.services.db, onTheFirst("2026-08"));
  expect(await reportsTo(ad.email)).toEqual([]);
  await turn(true);
  await startReports(service.services.db, onTheFirst("2026-08"));

  expect(await reportsTo(ad.email)).toHaveLength(1);
});

it("sends one report an advertiser and period, however often and in how many processes the job runs", async () => {
  const publisher = await aPublisher(service);
  const ad = await anOldAd(publisher);
  await count(publisher, ad.id, "impression", ["2026-04-10T00:00:00Z", "2026-05-10T00:00:00Z"]);
  const payload = { workspaceId: publisher.workspace.id, period: "2026-04" };
  const { services, database, placements } = service;
  const secondProcess = await startJobs({ ...services, metrics: new Registry() }, database.pool, placements);

  await Promise.all([
    startReports(services.db, onTheFirst("2026-05")),
    startReports(services.db, onTheFirst("2026-05")),
    ...Array.from({ length: 4 }, () => reportWorkspace(services, payload)),
  ]);
  await startReports(service.services.db, onTheFirst("2026-05"));
  expect(await reportsTo(ad.email)).toHaveLength(1);
  await reportWorkspace(service.services, { ...payload, period: "2026-05" });

  const subjects = (await reportsTo(ad.email)).map(({ subject }) => subject);
  await secondProcess.close();
  expect(subjects.map((subject) => subject.split(":")[0]).toSorted()).toEqual(["April 2026", "May 2026"]);
});

it("remembers a report for longer than its job could come again, and not for ever", async () => {
  const publisher = await aPublisher(service);
  const ad = await anOldAd(publisher);
  await count(publisher, ad.id, "impression", ["2026-01-10T00:00:00Z", "2026-02-10T00:00:00Z"]);
  for (const month of ["2026-01", "2026-02"]) {
    await reportWorkspace(service.services, { workspaceId: publisher.workspace.id, period: month });
  }
  await service.database.pool.query(
    "update monthly_reports set queued_at = now() - case month when '2026-01' then interval '61 days' else interval '59 days' end where advertiser_id = $1",
    [ad.advertiserId],
  );

  await sweep(service.services);

  const kept = await db
    .selectFrom("monthly_reports")
    .where("advertiser_id", "=", ad.advertiserId)
    .select("month")
    .execute();
  expect(kept).toEqual([{ month: "2026-02" }]);
});

it("sends nothing while the counts cannot be read, and all of it later", async () => {
  const publisher = await aPublisher(service);
  const ad = await anOldAd(publisher);
  await count(publisher, ad.id, "impression", ["2026-06-10T00:00:00Z"]);
  const nowhere = { url: "http://127.0.0.1:1", username: "nobody", password: "", database: "placard" };
  const away = createStatsStore({ ...nowhere, requestTimeoutMs: 500 });
  const payload = { workspaceId: publisher.workspace.id, period: "2026-06" };

  await expect(reportWorkspace({ ...service.services, stats: away }, payload)).rejects.toMatchObject({
    name: "StatsStoreError",
  });
  expect(await reportsTo(ad.email)).toEqual([]);
  await away.close();

  await reportWorkspace(service.services, payload);
  expect(await reportsTo(ad.email)).toHaveLength(1);
});

it("ends reports by one click of a mailbox or by the page's button, not by opening the link", async () => {
  const publisher = await aPublisher(service, "Heron <b>Weekly</b>");
  const ad = await anOldAd(publisher);
  const payload = (month: string) => ({ workspaceId: publisher.workspace.id, period: month });
  await count(publisher, ad.id, "impression", [
    "2026-07-10T00:00:00Z",
    "2026-08-10T00:00:00Z",
    "2026-09-10T00:00:00Z",
  ]);
  await reportWorkspace(service.services, payload("2026-07"));
  const path = unsubscribePath((await reportsTo(ad.email))[0]);

  const opened = await anybody.request("GET", path);
  await reportWorkspace(service.services, payload("2026-08"));
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const clicked = await anybody.request("POST", path, "List-Unsubscribe=One-Click", form);
  const again = await anybody.request("POST", path);
  await reportWorkspace(service.services, payload("2026-09"));

  expect(opened.status).toBe(200);
  expect(opened.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(opened.headers.get("cache-control")).toBe("no-store");
  expect(opened.headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(opened.text).toContain('<form method="post">');
  expect(opened.text).toContain("Heron &lt;b&gt;Weekly&lt;/b&gt;");
  expect([clicked.status, again.status]).toEqual([200, 200]);
  expect(clicked.text).toContain("receive any more reports about your ads on Heron");
  expect(await reportsTo(ad.email)).toHaveLength(2);
  const trail = await db
    .selectFrom("audit_log")
    .where("workspace_id", "=", publisher.workspace.id)
    .where("action", "=", "advertiser.unsubscribe")
    .select(["actor_kind", "resource_id"])
    .execute();
  expect(trail).toEqual([{ actor_kind: "advertiser", resource_id: expect.stringMatching(/^adv_/) }]);
});

it.each([
  [
    "multipart/form-data; boundary=b",
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
  ],
  ["text/plain", ""],
  ["application/json", "{"],
])("takes a click whose body is %s", async (type, body) => {
  const publisher = await aPublisher(service);
  const ad = await anOldAd(publisher);
  const token = service.services.unsubscribeTokens.sign(ad.advertiserId);

  const answer = await anybody.request("POST", `/v1/unsubscribe/${token}`, body, { "content-type": type });

  expect(answer.status).toBe(200);
});

it("takes 120 requests a minute for links from one address, and none of them waits at a row with a connection", async () => {
  const limited = await startManagement({ behindProxy: true });
  const publisher = await aPublisher(limited);
  const ad = await anApprovedAd(limited, publisher);
  const { rows } = await limited.database.pool.query<{ id: string }>(
    "select advertiser_id as id from subscriptions s join ads a on a.subscription_id = s.id where a.id = $1",
    [ad.id],
  );
  const id = rows[0]?.id ?? "";
  const click = async (address: string) =>
    await fetch(`${limited.origin}/v1/unsubscribe/${limited.services.unsubscribeTokens.sign(id)}`, {
      method: "POST",
      headers: { "x-forwarded-for": address },
    });
  const holder = await limited.database.pool.connect();
  await holder.query("begin");
  await holder.query("select from advertisers where id = $1 for update", [id]);

  const clicks = Array.from({ length: 60 }, (_, n) => click(`192.0.2.${n}`));
  const offer = await fetch(`${limited.origin}/advertise/${publisher.workspace.slug}`);
  await holder.query("rollback");
  holder.release();
  const statuses: number[] = [];
  for (let n = 0; n < 121; n += 1) statuses.push((await click("198.51.100.7")).status);

  expect(offer.status).toBe(200);
  expect(new Set((await Promise.all(clicks)).map(({ status }) => status))).toEqual(new Set([200]));
  expect(statuses.filter((status) => status === 429)).toHaveLength(1);
});

it("answers a link that it has not signed with a page that says so, and ends nothing", async () => {
  const publisher = await aPublisher(service);
  await anOldAd(publisher);
  const before = await db.selectFrom("report_unsubscribes").select("advertiser_id").execute();
  const tokens = [newId("advertiser"), `${newId("advertiser")}.${"A".repeat(43)}`, "x", "%00", "..%2f.."];

  for (const token of [...tokens, service.services.unsubscribeTokens.sign(newId("advertiser"))]) {
    for (const [method, end] of [
      ["GET", ""],
      ["POST", ""],
      ["POST", "/again"],
    ] as const) {
      const answer = await anybody.request(method, `/v1/unsubscribe/${token}${end}`);
      expect([answer.status, answer.headers.get("content-type")], token).toEqual([
        404,
        "text/html; charset=utf-8",
      ]);
      expect(answer.text).not.toContain("<form");
    }
  }
  expect(await db.selectFrom("report_unsubscribes").select("advertiser_id").execute()).toEqual(before);
});
