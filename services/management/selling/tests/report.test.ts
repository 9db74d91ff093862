import { beforeAll, describe, expect, it } from "vitest";
import { auditEntry } from "#libs/contract/audit.ts";
import { pageOf } from "#libs/contract/query.ts";
import { encodeEventRow } from "#libs/domain/event.ts";
import { type EventPlace, NO_PLACE } from "#libs/domain/event-place.ts";
import { newId } from "#libs/domain/ids.ts";
import { propose } from "../../ads/corrections/queries.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, type Publisher } from "../../tests/story.ts";
import { all, one, openPage, type ParsedPage } from "./pages.ts";
import { aWholeAd, aWholePublisher, count, pathOf } from "./states.ts";

// Tomorrow at noon: no test crosses a day of Berlin or of UTC, and what is granted by this clock has not ended by the machine's.
const NOON = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000 + 12 * 3_600_000;
const service = await startManagement({
  unlimited: true,
  stats: "real",
  webhooks: "by hand",
  now: () => NOON,
});
const whole = await aWholePublisher(service);
const { publisher } = whole;

async function settings(of: Publisher, change: Readonly<Record<string, unknown>>) {
  const { status } = await of.caller.request("PATCH", `${of.path}/settings`, change);
  expect(status).toBe(200);
}

/** Counts valid impressions and clicks of today at a place. */
async function countAt(adId: string, place: Partial<EventPlace>, impressions: number, clicks: number) {
  const row = (kind: "impression" | "click", visitor: number) =>
    Buffer.from(
      encodeEventRow({
        id: newId("event"),
        workspaceId: publisher.workspace.id,
        adId,
        kind,
        verdict: "valid",
        visitor: visitor.toString(16).padStart(16, "0"),
        occurredAt: NOON - 3_600_000,
        source: "page",
        place: { ...NO_PLACE, ...place },
      }),
    );
  const rows = [
    ...Array.from({ length: impressions }, (_none, visitor) => row("impression", visitor)),
    ...Array.from({ length: clicks }, (_none, visitor) => row("click", visitor)),
  ];
  await service.services.stats.insertRange({ token: crypto.randomUUID(), rows });
}

const day = (daysAgo: number) => new Date(NOON - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** The cells of each row of all tables. */
function rowsOf({ elements }: ParsedPage): string[][] {
  const rows: string[][] = [];
  for (const { name, text } of elements) {
    if (name === "tr") rows.push([]);
    if (name === "th" || name === "td") rows.at(-1)?.push(text);
  }
  return rows;
}

const totalsOf = (page: ParsedPage) =>
  all(page, "dl")
    .slice(0, 1)
    .flatMap(({ text }) => text.trim().split(/\s*\n\s*/));

async function fileOf(path: string) {
  const response = await fetch(`${service.origin}${path}`);
  return {
    status: response.status,
    headers: response.headers,
    lines: (await response.text()).trim().split("\r\n"),
  };
}

const ad = await aWholeAd(service, whole);
const other = await aWholeAd(service, whole);
const report = `${ad.page}/report`;

beforeAll(async () => {
  await ad.approve();
  await other.approve();
  await countAt(ad.id, { country: "DE", device: "phone", path: "/news" }, 300, 6);
  await countAt(ad.id, { country: "FR", device: "desktop", path: "/news" }, 4, 1);
  await countAt(other.id, { country: "US" }, 50, 50);
  await count(service, { workspaceId: publisher.workspace.id, adId: ad.id }, [
    [0, 0],
    [10, 0],
    ...Array.from({ length: 29 }, () => [0, 0] as const),
    [200, 20],
  ]);
});

describe("the report of an ad", () => {
  it("is led to from the ad's page, counts this ad alone, and says what it is compared with", async () => {
    const adPage = await openPage(service, ad.page);
    const page = await openPage(service, report);

    expect(one(adPage, "a", "href", report).text).toBe("Full report");
    expect(page.status).toBe(200);
    expect(page.headers.get("cache-control")).toBe("no-store");
    expect(totalsOf(page)).toEqual(["Impressions314", "Clicks7", "CTR2.23%", "Not counted0"]);
    expect(page.text).toContain("200 impressions, 20 clicks.");
    expect(one(page, "a", "href", ad.page).text).toBe("Back to your ad");
  });

  it("has the days that are asked for, as a table and as a file", async () => {
    const query = `?from=${day(1)}&to=${day(0)}`;
    const page = await openPage(service, `${report}${query}`);
    const file = await fileOf(`${report}.csv${query}`);

    expect(
      rowsOf(page)
        .slice(1)
        .map(([, ...counts]) => counts),
    ).toEqual([
      ["304", "7", "2.30%"],
      ["10", "0", "–"],
    ]);
    expect(file.headers.get("content-type")).toContain("text/csv");
    expect(file.headers.get("cache-control")).toBe("no-store");
    expect(file.lines).toEqual([
      "time,impressions,clicks,invalid",
      `${day(1)}T00:00:00+00:00,10,0,0`,
      `${day(0)}T00:00:00+00:00,304,7,0`,
    ]);
  });

  it("is split by what the publisher allows, and shows counts below 5 of a value as <5", async () => {
    const query = `?from=${day(0)}&to=${day(0)}&split=country`;
    const page = await openPage(service, `${report}${query}`);
    const file = await fileOf(`${report}.csv${query}`);

    const [, , , ...splits] = all(page, "option").map(({ text }) => text);
    expect(splits.slice(0, 3)).toEqual(["Nothing", "Country", "Device"]);
    expect(splits.at(3)).toBe("Every week");
    expect(rowsOf(page)).toContainEqual(["Germany", "300", "6", "2.00%"]);
    expect(rowsOf(page)).toContainEqual(["France", "<5", "<5", "–"]);
    expect(file.lines).toEqual(["country,impressions,clicks,invalid", "DE,300,6,<5", "FR,<5,<5,<5"]);
  });

  it("is not split by what the publisher doesn't allow, by page or file", async () => {
    const split = await openPage(service, `${report}?split=path`);
    const file = await fileOf(`${report}.csv?split=path&from=${day(0)}`);
    await settings(publisher, { advertiserSplits: ["path"] });
    const allowed = await openPage(service, `${report}?split=path`);
    await settings(publisher, { advertiserSplits: [] });
    const none = await openPage(service, `${report}?split=path`);
    await settings(publisher, { advertiserSplits: ["country", "device"] });

    expect(split.status).toBe(200);
    expect(split.text).not.toContain("/news");
    expect(file.lines).toHaveLength(2);
    expect(allowed.text).toContain("/news");
    expect(none.text).not.toContain("/news");
    expect(none.text).not.toContain("Split by");
  });

  it("has the days of the publisher's time zone, and says which", async () => {
    await settings(publisher, { timeZone: "Asia/Kathmandu" });
    const page = await openPage(service, report);
    const file = await fileOf(`${report}.csv?from=${day(0)}&to=${day(0)}`);
    await settings(publisher, { timeZone: null });

    expect(page.text).toContain("Days in Asia/Kathmandu.");
    expect(file.lines[1]).toBe(`${day(0)}T00:00:00+05:45,304,7,0`);
  });

  it("says which days the publisher has corrected and why, however many others are proposed, and doesn't count them", async () => {
    const corrections = `${publisher.path}/ads/${ad.id}/corrections`;
    const body = { from: day(1), to: day(1), reason: "A crawler of a partner." };
    const { text } = await publisher.caller.request("POST", corrections, body);
    for (let ago = 1; ago <= 500; ago += 1)
      await propose(
        service.database.db,
        { workspaceId: publisher.workspace.id, adId: ad.id, day: day(ago) },
        "Clicks.",
      );

    const page = await openPage(service, `${report}?from=${day(1)}&to=${day(0)}`);
    const without = await openPage(service, `${report}?from=${day(0)}&to=${day(0)}`);
    await publisher.caller.request("DELETE", `${corrections}/${JSON.parse(text).id}`);
    const after = await openPage(service, `${report}?from=${day(1)}&to=${day(0)}`);

    expect(page.text).toContain("A crawler of a partner.");
    expect(totalsOf(page)).toEqual(["Impressions304", "Clicks7", "CTR2.30%", "Not counted10"]);
    expect(without.text).not.toContain("A crawler");
    expect(after.text).not.toContain("A crawler");
    expect(totalsOf(after)[0]).toBe("Impressions314");
  });

  it("has weeks and months", async () => {
    const weeks = await openPage(service, `${report}?per=week`);
    const months = await openPage(service, `${report}?per=month&from=${day(60)}`);

    expect(weeks.text).toContain("Weekly breakdown");
    expect(months.text).toContain("Monthly breakdown");
    expect(all(months, "svg")[0]?.attributes["aria-label"]).toMatch(
      /^Impressions per month from \w+ \d{4} to \w+ \d{4}/,
    );
  });

  it.each([
    ["from=tomorrow", "Must be a date"],
    ["from=2026-02-30", "Must be a date"],
    ["from=2021-01-01&to=2025-01-01", "at most 1096 days"],
    ["from=2026-03-02&to=2026-03-01", "Must not be before the first day."],
  ])("asks again for the dates of %s", async (query, sentence) => {
    const page = await openPage(service, `${report}?${query}`);

    expect(page.status).toBe(422);
    expect(one(page, "div", "role", "alert").text).toContain(sentence);
    expect(one(page, "input", "name", "from").attributes.value).toBe(new URLSearchParams(query).get("from"));
  });

  it("takes anything else in an address for nothing", async () => {
    const page = await openPage(service, `${report}?per=<b>&split=country&split=device&from=&to[]=x&%00=%ff`);

    expect(page.status).toBe(200);
    expect(page.text).not.toContain("<b>");
  });

  it("is not there before the ad has been on the air, nor for other sessions and workspaces", async () => {
    const waiting = await aWholeAd(service, whole);
    const elsewhere = await aPublisher(service, "Elsewhere Weekly");

    for (const path of [
      `${waiting.page}/report`,
      `${pathOf(publisher, { sessionId: "cs_test_0000000000000000" })}/report`,
      `${pathOf(elsewhere, ad.checkout)}/report`,
    ]) {
      expect((await openPage(service, path)).status, path).toBe(404);
      expect((await openPage(service, `${path}.csv`)).status, path).toBe(404);
      expect((await openPage(service, `${path}/share`, new URLSearchParams())).status, path).toBe(404);
    }
  });
});

describe("the form for reports by email", () => {
  const chosenOn = (page: ParsedPage) =>
    all(page, "option")
      .filter(({ attributes }) => "selected" in attributes)
      .map(({ text }) => text);
  const send = (choice: string) => openPage(service, `${report}/emails`, new URLSearchParams({ choice }));

  it("shows what the advertiser has chosen, every month at first, and saves another choice", async () => {
    const asked = `from=${day(9)}&to=${day(2)}&per=week&split=country`;
    const before = await openPage(service, `${report}?${asked}`);
    const actions = all(before, "form").map(({ attributes }) => attributes.action ?? "");
    const action = actions.find((path) => path.startsWith(`${report}/emails`)) ?? "";
    const saved = await openPage(service, action, new URLSearchParams({ choice: "week" }));
    const shown = saved.headers.get("location") ?? "";
    const after = await openPage(service, shown);
    await send("never");
    const never = await openPage(service, report);
    await send("every hour");

    expect(chosenOn(before)).toContain("Every month");
    // The same report, which says that it is saved.
    expect([saved.status, shown]).toEqual([303, `${report}?${asked}&saved#emails`]);
    expect(chosenOn(after)).toEqual(expect.arrayContaining(["Week", "Country", "Every week"]));
    expect(one(after, "p", "role", "status").text).toBe("Saved.");
    expect(all(before, "p").map(({ text }) => text)).not.toContain("Saved.");
    expect(chosenOn(never)).toContain("Never");
    expect(chosenOn(await openPage(service, report))).toContain("Never");
    const log = `${publisher.path}/audit-log?resourceKind=advertiser`;
    const { items } = await publisher.caller.ok(pageOf(auditEntry), "GET", log);
    expect(items.map(({ action, before, after }) => [action, before, after])).toEqual([
      ["advertiser.unsubscribe", { reportEmails: "week" }, { reportEmails: "never" }],
      ["advertiser.subscribe", { reportEmails: "month" }, { reportEmails: "week" }],
    ]);
  });

  it("starts nothing that the link in a report has ended, which starts it again", async () => {
    await send("week");
    const { rows } = await service.database.pool.query<{ id: string }>(
      "select advertiser_id as id from subscriptions s join ads a on a.subscription_id = s.id where a.id = $1",
      [ad.id],
    );
    const link = `/v1/unsubscribe/${service.services.unsubscribeTokens.sign(rows[0]?.id ?? "")}`;
    const visit = async (path: string, method: "GET" | "POST") =>
      await (await fetch(`${service.origin}${path}`, { method })).text();

    const ended = await visit(link, "POST");
    const tried = await send("month");
    const page = await openPage(service, report);
    const opened = await visit(link, "GET");
    const again = await visit(`${link}/again`, "POST");

    expect(ended).toContain("receive any more reports about your ads");
    expect(tried.status).toBe(303);
    expect(page.text).toContain("They were stopped by the link at the end of a report.");
    expect(page.text).not.toContain("Email me");
    expect(opened).toContain(`action="${link}/again"`);
    expect(again).toContain("receive reports about your ads on Heron Weekly again.");
    expect(chosenOn(await openPage(service, report))).toContain("Every week");
    expect(await visit(link, "GET")).toContain("Stop the reports");
  });

  it("is not there while the publisher sends no reports", async () => {
    await settings(publisher, { mails: { monthlyReports: false } });
    const page = await openPage(service, report);
    await settings(publisher, { mails: { monthlyReports: true } });

    expect(page.status).toBe(200);
    expect(page.text).not.toContain("Email me");
  });
});

describe("the link to a report", () => {
  const shareIt = () => openPage(service, `${report}/share`, new URLSearchParams());
  const unshareIt = () => openPage(service, `${report}/unshare`, new URLSearchParams());
  const linkOn = (page: ParsedPage) => {
    const address = one(page, "input", "id", "link").attributes.value ?? "";
    expect(address.startsWith(`${service.origin}/advertise/`)).toBe(true);
    return address.slice(service.origin.length);
  };

  it("shows anybody the same report, and neither the way to the ad nor the switch", async () => {
    const shared = await shareIt();
    const own = await openPage(service, report);
    const link = linkOn(own);
    const page = await openPage(service, `${link}?split=country&from=${day(0)}`);
    const file = await fileOf(`${link}.csv?split=country&from=${day(0)}`);

    expect([shared.status, shared.headers.get("location")]).toEqual([303, `${report}?per=day#share`]);
    expect(page.status).toBe(200);
    expect(page.headers.get("referrer-policy")).toBe("no-referrer");
    expect(rowsOf(page)).toContainEqual(["Germany", "300", "6", "2.00%"]);
    expect(file.lines).toContain("FR,<5,<5,<5");
    expect(page.text).not.toContain("Share this report");
    expect(JSON.stringify(page.elements)).not.toContain(ad.checkout.sessionId);
    expect(one(page, "form").attributes).toMatchObject({ method: "get", action: link });
  });

  it("stays the same while it is on, never works again once it is off, and is another when it is on again", async () => {
    await shareIt();
    const first = linkOn(await openPage(service, report));
    await shareIt();
    const same = linkOn(await openPage(service, report));
    await unshareIt();
    const off = await openPage(service, first);
    const offFile = await fileOf(`${first}.csv`);
    await shareIt();
    const second = linkOn(await openPage(service, report));

    expect(same).toBe(first);
    expect([off.status, offFile.status]).toEqual([404, 404]);
    expect(second).not.toBe(first);
    expect((await openPage(service, first)).status).toBe(404);
    expect((await openPage(service, second)).status).toBe(200);
  });

  it("is no address that is near it, of another ad or in another workspace", async () => {
    await shareIt();
    const link = linkOn(await openPage(service, report));
    const [, , workspace = "", , token = ""] = link.split("/");
    const seal = token.split(".")[1] ?? "";
    const elsewhere = await aPublisher(service, "Nearby Weekly");
    const under = (at: string, end: string) => `/advertise/${at}/report/${end}`;

    for (const path of [
      under(workspace, `${other.id}.${seal}`),
      under(workspace, ad.id),
      under(workspace, `${ad.id}.`),
      under(workspace, `${ad.id}.${seal}x`),
      under(workspace, `${token}.${seal}`),
      under(workspace, `${ad.id}.${"A".repeat(seal.length)}`),
      under(elsewhere.workspace.id, token),
      under("nobody", token),
    ]) {
      expect((await openPage(service, path)).status, path).toBe(404);
    }
  });
});
