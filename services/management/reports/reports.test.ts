import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { report } from "#libs/contract/reports.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { NO_PLACE, NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import { MemberPlaces } from "../api/member-places.ts";
import { startManagement } from "../tests/management.ts";
import { linesOf } from "../tests/read-csv.ts";
import { anApprovedAd, aPublisher, type Publisher } from "../tests/story.ts";
import { MOST_GROUPS, MOST_TEXTS } from "./read.ts";
import { type CountedEvent, insertEvents } from "./tests/insert-events.ts";

let clock = Date.now;
const service = await startManagement({ unlimited: true, stats: "real", now: () => clock() });
const publisher = await aPublisher(service);
const neighbour = await aPublisher(service, "Another Weekly");
const first = await anApprovedAd(service, publisher);
const second = await anApprovedAd(service, publisher);
const theirs = await anApprovedAd(service, neighbour);
const { id: advertiserId } = first.subscription.advertiser;

afterEach(() => {
  vi.restoreAllMocks();
});

const KATHMANDU = "from=2026-11-22&to=2026-11-24&timeZone=Asia/Kathmandu";

async function happened(
  ...events: (Partial<CountedEvent> & { readonly at: string; readonly times?: number })[]
) {
  await insertEvents(
    service.services.stats,
    events.flatMap(({ at, times = 1, ...event }) =>
      Array<CountedEvent>(times).fill({
        workspaceId: publisher.workspace.id,
        adId: first.id,
        kind: "impression",
        verdict: "valid",
        source: "link",
        place: NO_PLACE,
        occurredAt: Date.parse(at),
        ...event,
      }),
    ),
  );
}

await happened(
  { at: "2026-11-22T18:14:59+00:00", times: 2 },
  { at: "2026-11-23T00:00:00+05:45", times: 3 },
  { at: "2026-11-23T12:00:00+05:45", kind: "click" },
  { at: "2026-11-23T12:00:00+05:45", verdict: "bot", times: 4 },
  { at: "2026-11-24T23:59:59+05:45", adId: second.id, source: "server", times: 5 },
  { at: "2026-11-25T00:00:00+05:45" },
  { at: "2026-11-23T00:00:00+05:45", workspaceId: neighbour.workspace.id, adId: theirs.id, times: 9 },
);

async function asked(query: string, { caller, path }: Publisher = publisher) {
  return await caller.ok(report, "GET", `${path}/reports?${query}`);
}

it("counts the local days of a zone, each with its offset", async () => {
  const { results, totals, total, pageCount } = await asked(`${KATHMANDU}&granularity=day`);

  expect(results).toEqual([
    {
      dimensions: { time: "2026-11-22T00:00:00+05:45" },
      metrics: { impressions: 2, clicks: 0, ctr: 0, invalid: 0 },
    },
    {
      dimensions: { time: "2026-11-23T00:00:00+05:45" },
      metrics: { impressions: 3, clicks: 1, ctr: 1 / 3, invalid: 4 },
    },
    {
      dimensions: { time: "2026-11-24T00:00:00+05:45" },
      metrics: { impressions: 5, clicks: 0, ctr: 0, invalid: 0 },
    },
  ]);
  expect(totals).toEqual({ metrics: { impressions: 10, clicks: 1, ctr: 0.1, invalid: 4 } });
  expect([total, pageCount]).toEqual([3, 1]);
});

it("tells what it has understood", async () => {
  const { query } = await asked(
    `${KATHMANDU}&groupBy=ad&groupBy=source&metrics=clicks,ctr&sort=clicks&source[isNot]=server&compare=previous&granularity=hour`,
  );

  expect(query).toEqual({
    from: "2026-11-22",
    to: "2026-11-24",
    timeZone: "Asia/Kathmandu",
    granularity: "hour",
    groupBy: ["ad", "source"],
    filters: { source: { isNot: ["server"] } },
    metrics: ["clicks", "ctr"],
    sort: "clicks",
    compare: "previous",
    matchWeekday: false,
    comparison: { from: "2026-11-19", to: "2026-11-21", until: "2026-11-22T00:00:00+05:45" },
  });
});

it("reports on 30 days of UTC in one row by default, and on the workspace's zone once it has one", async () => {
  const { query, results } = await asked("");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, {
    timeZone: "Pacific/Kiritimati",
  });
  const local = await asked("");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { timeZone: null });

  const days = (Date.parse(query.to) - Date.parse(query.from)) / 86_400_000 + 1;
  expect([days, query.timeZone, query.granularity, query.metrics.length]).toEqual([30, "UTC", "none", 4]);
  expect(results).toHaveLength(1);
  expect(results[0]?.dimensions).toEqual({});
  expect(local.query.timeZone).toBe("Pacific/Kiritimati");
});

it("splits by ads, advertisers and tiers with their names, and by verdicts and sources, the highest first", async () => {
  const counted = async (query: string) =>
    (await asked(`${KATHMANDU}&${query}`)).results.map(
      ({ dimensions, metrics: { impressions, invalid } }) => [
        ...Object.values(dimensions),
        [impressions, invalid],
      ],
    );

  expect(await counted("groupBy=ad")).toEqual(
    expect.arrayContaining([
      [{ id: first.id, name: "Example Coffee" }, [5, 4]],
      [{ id: second.id, name: "Example Coffee" }, [5, 0]],
    ]),
  );
  expect(await counted("groupBy=verdict")).toEqual([
    ["valid", [10, 0]],
    ["bot", [0, 4]],
  ]);
  expect(await counted("groupBy=verdict&sort=invalid")).toEqual([
    ["bot", [0, 4]],
    ["valid", [10, 0]],
  ]);
  expect(await counted(`groupBy=source,advertiser&advertiser[is]=${advertiserId}`)).toEqual([
    [{ id: advertiserId, name: first.subscription.advertiser.name }, "link", [5, 4]],
  ]);
  const tiers = await counted("groupBy=tier&granularity=month");
  expect(tiers.map((row) => row[2])).toEqual(expect.arrayContaining([[5, 4]]));
});

it("filters by one and by none of some values of each dimension", async () => {
  const { tier } = first.subscription;
  const counted = async (query: string) => {
    const { metrics } = (await asked(`${KATHMANDU}&${query}`)).totals;
    return [metrics.impressions, metrics.clicks, metrics.invalid];
  };

  expect(await counted(`ad[is]=${first.id}`)).toEqual([5, 1, 4]);
  expect(await counted(`ad[isNot]=${first.id}`)).toEqual([5, 0, 0]);
  expect(await counted(`ad[is]=${first.id}&ad[is]=${second.id},ad_unknown`)).toEqual([10, 1, 4]);
  expect(await counted(`tier[is]=${tier.id}`)).toEqual([5, 1, 4]);
  expect(await counted(`tier[isNot]=${tier.id}`)).toEqual([5, 0, 0]);
  expect(await counted("verdict[is]=bot")).toEqual([0, 0, 4]);
  expect(await counted("verdict[isNot]=bot&source[is]=server")).toEqual([5, 0, 0]);
  expect(await counted("ad[is]=")).toEqual([0, 0, 0]);
  expect(await counted(`ad[is]=${encodeURIComponent("'\\\u0000é\n")}`)).toEqual([0, 0, 0]);
  expect(await counted(`ad[is]=${theirs.id}`)).toEqual([0, 0, 0]);
});

it("has a row for each value and time, 0 where nothing happened and null before the first event", async () => {
  const { results, warnings } = await asked(
    "from=2026-11-21&to=2026-11-23&timeZone=Asia/Kathmandu&granularity=day&groupBy=verdict&metrics=impressions,invalid",
  );

  expect(
    results.map(({ dimensions: { time, verdict }, metrics }) => [time?.slice(0, 10), verdict, metrics]),
  ).toEqual([
    ["2026-11-21", "bot", { impressions: null, invalid: null }],
    ["2026-11-21", "valid", { impressions: null, invalid: null }],
    ["2026-11-22", "valid", { impressions: 2, invalid: 0 }],
    ["2026-11-22", "bot", { impressions: 0, invalid: 0 }],
    ["2026-11-23", "valid", { impressions: 3, invalid: 0 }],
    ["2026-11-23", "bot", { impressions: 0, invalid: 4 }],
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(["BEFORE_FIRST_EVENT"]);
});

it("has no figures for a workspace without events", async () => {
  const { results, totals } = await asked(
    "granularity=day&from=2026-11-01&to=2026-11-10&compare=year",
    await aPublisher(service, "New Weekly"),
  );

  const none = { impressions: null, clicks: null, ctr: null, invalid: null };
  expect(results).toHaveLength(10);
  expect(results[0]).toMatchObject({ metrics: none, comparison: { metrics: none } });
  expect(totals).toEqual({ metrics: none, comparison: { metrics: none } });
});

it("compares each row and the totals, also with values that only the earlier period has", async () => {
  const { results, totals } = await asked(
    "from=2026-11-24&to=2026-11-24&timeZone=Asia/Kathmandu&granularity=day&compare=previous&groupBy=source&metrics=impressions",
  );

  const comparison = (impressions: number) => ({
    time: "2026-11-23T00:00:00+05:45",
    metrics: { impressions },
  });
  expect(results).toEqual([
    {
      dimensions: { time: "2026-11-24T00:00:00+05:45", source: "server" },
      metrics: { impressions: 5 },
      comparison: comparison(0),
    },
    {
      dimensions: { time: "2026-11-24T00:00:00+05:45", source: "link" },
      metrics: { impressions: 0 },
      comparison: comparison(3),
    },
  ]);
  expect(totals).toEqual({ metrics: { impressions: 5 }, comparison: { metrics: { impressions: 3 } } });
});

it("compares today up to the same local time, and has no figures for what has not begun", async () => {
  clock = () => Date.parse("2026-11-23T12:10:00+05:45");
  onTestFinished(() => {
    clock = Date.now;
  });

  const { results, totals, warnings, query } = await asked(
    "from=2026-11-23&to=2026-11-24&timeZone=Asia/Kathmandu&granularity=day&compare=previous&metrics=impressions",
  );
  const hours = await asked(
    "from=2026-11-23&to=2026-11-23&timeZone=Asia/Kathmandu&granularity=hour&metrics=clicks",
  );

  expect(query.comparison).toEqual({
    from: "2026-11-21",
    to: "2026-11-22",
    until: "2026-11-21T12:00:00+05:45",
  });
  expect(results.map(({ metrics, comparison }) => [metrics.impressions, comparison])).toEqual([
    [3, { time: "2026-11-21T00:00:00+05:45", metrics: { impressions: null } }],
    [null, { time: null, metrics: { impressions: null } }],
  ]);
  expect(totals.metrics).toEqual({ impressions: 8 });
  expect(hours.results.map(({ metrics }) => metrics.clicks)).toEqual([
    ...Array<number>(12).fill(0),
    1,
    ...Array<null>(11).fill(null),
  ]);
  expect(warnings.map(({ code }) => code)).toEqual(["PERIOD_NOT_OVER", "BEFORE_FIRST_EVENT"]);
});

it.each([
  ["week", "2026-11-18", "2026-11-24", ["BUCKETS_CUT"]],
  ["week", "2026-11-16", "2026-11-24", ["BUCKETS_CUT"]],
  ["week", "2026-11-16", "2026-11-22", []],
  ["month", "2026-10-02", "2026-10-31", ["BUCKETS_CUT"]],
  ["month", "2026-10-01", "2026-10-30", ["BUCKETS_CUT"]],
  ["month", "2026-10-01", "2026-10-31", []],
  ["day", "2026-11-18", "2026-11-24", []],
])("warns by %s from %s to %s of %j", async (granularity, from, to, codes) => {
  const { warnings } = await asked(`granularity=${granularity}&from=${from}&to=${to}`);

  expect(warnings.map(({ code }) => code).filter((code) => code !== "BEFORE_FIRST_EVENT")).toEqual(codes);
});

it("answers pages of the rows, and the last for one beyond", async () => {
  const query = `${KATHMANDU}&granularity=quarter-hour&groupBy=ad&metrics=impressions`;
  const rows = 3 * 96 * 2;

  const pages = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((page) => asked(`${query}&perPage=100&page=${page}`)),
  );
  const beyond = await asked(`${query}&perPage=100&page=99`);
  const shifted = await asked(`${query}&perPage=7&page=3`);

  expect(pages.map(({ results }) => results.length)).toEqual([100, 100, 100, 100, 100, 76]);
  expect(pages.every(({ total, pageCount }) => total === rows && pageCount === 6)).toBe(true);
  expect([beyond.page, beyond.results]).toEqual([6, pages[5]?.results]);
  expect(shifted.results).toEqual(pages[0]?.results.slice(14, 21));
  const sum = pages
    .flatMap(({ results }) => results)
    .reduce((total, { metrics }) => total + (metrics.impressions ?? 0), 0);
  expect(sum).toBe(pages[0]?.totals.metrics.impressions);
});

it("refuses a split into more than 20,000 values", async () => {
  const { caller, path } = publisher;
  const counts = Array.from({ length: MOST_GROUPS + 1 }, (_, n) => ({
    start: 0,
    keys: [`ad_${n}`],
    impressions: 1,
    clicks: 0,
    invalid: 0,
  }));
  const reportCounts = vi.spyOn(service.services.stats, "reportCounts");

  reportCounts.mockImplementation(async (_, limit) => counts.slice(0, limit));
  const refused = await caller.invalid("GET", `${path}/reports?groupBy=ad`);
  reportCounts.mockResolvedValue(counts.slice(1));
  const { total } = await asked("groupBy=ad");

  expect([refused, total]).toEqual([["groupBy"], 20_000]);
});

it("counts the rarest of more than 5,000 texts together, also by time", async () => {
  const { caller, path } = publisher;
  await happened(
    { at: "2026-11-24T10:00:00Z", place: { ...NO_PLACE, path: "/often" }, times: 3 },
    ...["/a", "/b"].map((path) => ({ at: "2026-11-24T11:00:00Z", place: { ...NO_PLACE, path } })),
  );
  const { stats } = service.services;
  const { reportCounts: count, mostCounted: rank } = stats;
  vi.spyOn(stats, "reportCounts").mockImplementation(async (request, limit) =>
    // As if there were more than the most.
    request.kept === undefined
      ? Array.from({ length: limit }, (_, n) => ({
          ...{ start: 0, impressions: 1, clicks: 0, invalid: 0 },
          keys: [`/${n}`],
        }))
      : await count(request, limit),
  );
  const ranked = vi
    .spyOn(stats, "mostCounted")
    .mockImplementation(async (groups, spans) => await rank(groups, spans, 1));
  const query =
    "from=2026-11-24&to=2026-11-24&granularity=hour&groupBy=path&path[contains]=/&metrics=impressions";

  const { results, totals, total, warnings } = await asked(query);
  const { text } = await caller.request("GET", `${path}/reports.csv?${query}`);

  // Once for the answer, once for the file.
  expect(ranked.mock.calls.map(([, , most]) => most)).toEqual([MOST_TEXTS, MOST_TEXTS]);
  expect(warnings.map(({ code }) => code)).toContain("TEXTS_FOLDED");
  expect(totals.metrics).toEqual({ impressions: 5 });
  expect(total).toBe(2 * 24);
  const counted = results.filter(({ metrics }) => metrics.impressions !== 0);
  expect(counted.map(({ dimensions, metrics }) => [dimensions.path, metrics.impressions])).toEqual([
    ["/often", 3],
    [OTHER_VALUE, 2],
  ]);
  expect(linesOf(text).filter(([, , count]) => count === "2")).toEqual([
    ["2026-11-24T11:00:00+00:00", OTHER_VALUE, "2"],
  ]);
});

it("splits and filters by the place of events, of which texts may have commas", async () => {
  const place = {
    ...NO_PLACE,
    placement: "left, top",
    path: "/blog/a,b",
    device: "phone",
    country: "DE",
  } as const;
  await happened(
    { at: "2026-11-20T10:00:00Z", place, times: 2 },
    { at: "2026-11-20T10:00:00Z", place: { ...place, path: "/=1+1", country: "" } },
    { at: "2026-11-20T10:00:00Z" },
  );
  const day = "from=2026-11-20&to=2026-11-20&metrics=impressions";
  const counted = async (query: string) =>
    (await asked(`${day}&${query}`)).results.map(({ dimensions, metrics }) => [
      ...Object.values(dimensions),
      metrics.impressions,
    ]);

  expect(await counted("groupBy=placement,country")).toEqual([
    ["left, top", "DE", 2],
    [NOT_KNOWN, NOT_KNOWN, 1],
    ["left, top", NOT_KNOWN, 1],
  ]);
  expect(await counted("groupBy=path&placement[is]=left, top")).toEqual([
    ["/blog/a,b", 2],
    ["/=1+1", 1],
  ]);
  expect(await counted("groupBy=device&path[is]=/blog/a,b&path[is]=/none")).toEqual([["phone", 2]]);
  expect(await counted("groupBy=device&device[isNot]=phone")).toEqual([["unknown", 1]]);
  expect(await counted(`country[is]=${NOT_KNOWN}`)).toEqual([[2]]);
  expect(await counted("path[contains]=blog&path[contains]=1%2B1")).toEqual([[3]]);
  expect(await counted("path[isNot]=/=1%2B1&placement[isNot]=none")).toEqual([[3]]);
  const { text } = await publisher.caller.request(
    "GET",
    `${publisher.path}/reports.csv?${day}&groupBy=path&sort=impressions`,
  );
  expect(linesOf(text)).toEqual([
    ["path", "impressions"],
    ["/blog/a,b", "2"],
    [NOT_KNOWN, "1"],
    ["/=1+1", "1"],
  ]);
});

it("refuses to split and filter by place what is older than that is kept, and names the first day", async () => {
  const { stats } = service.services;
  vi.spyOn(stats, "splitRetentionDays").mockResolvedValue(30);
  clock = () => Date.parse("2026-11-25T12:00:00Z");
  onTestFinished(() => {
    clock = Date.now;
  });
  const { caller, path } = publisher;
  const refusal = async (query: string) => (await caller.request("GET", `${path}/reports?${query}`)).text;

  // UTC days are kept, and this one begins in the evening before in New York.
  const newYork = "to=2026-11-25&timeZone=America/New_York&groupBy=country";
  expect(await refusal(`from=2026-10-26&${newYork}`)).toContain(
    '"from":["Counts by country are kept from 2026-10-27 on."]',
  );
  expect(await refusal("from=2026-11-01&compare=previous&device[is]=phone")).toContain(
    '"compare":["Counts by device are kept from 2026-10-27 on."]',
  );
  await asked(`from=2026-10-27&${newYork}`);
  await asked("from=2026-10-28&to=2026-10-28&timeZone=Asia/Tokyo&groupBy=country");
  await asked("from=2025-01-01&to=2026-11-25&groupBy=source");
});

it("has at most four queries under way, each of another workspace", async () => {
  const { stats } = service.services;
  const names = ["Third", "Fourth", "Fifth"].map((name) => `${name} Weekly`);
  const others = await Promise.all(names.map((name) => aPublisher(service, name)));
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const begun: string[] = [];
  const begin = async (workspaceId: string) => {
    begun.push(workspaceId);
    await held;
  };
  vi.spyOn(stats, "firstCounted").mockImplementation(async (workspaceId) => {
    await begin(workspaceId);
    return null;
  });
  vi.spyOn(stats, "reportCounts").mockImplementation(async ({ workspaceId }) => {
    await begin(workspaceId);
    return [];
  });

  const answers = [publisher, neighbour, ...others].map((of) => asked("", of));
  await vi.waitFor(() => expect(new Set(begun).size).toBeGreaterThanOrEqual(4));
  await publisher.caller.ok(workspaceSettings, "GET", `${publisher.path}/settings`);
  const whileHeld = [...begun];
  release();
  await Promise.all(answers);

  expect(new Set(whileHeld).size).toBe(4);
});

it("answers CSV at its own address and where only that is asked for, safe from formulas", async () => {
  const { caller, path } = publisher;
  const query = `${KATHMANDU}&groupBy=ad&granularity=week&compare=previous&metrics=clicks,ctr`;
  await service.database.db
    .updateTable("ads")
    .set({ name: '=HYPERLINK("x"),\n' })
    .where("id", "=", first.id)
    .execute();

  const file = await caller.request("GET", `${path}/reports.csv?${query}`);
  const negotiated = await caller.request("GET", `${path}/reports?${query}`, undefined, {
    accept: "text/csv",
  });
  const either = await caller.request("GET", `${path}/reports?${query}`, undefined, {
    accept: "application/json, text/csv",
  });

  expect(linesOf(file.text)[0]).toEqual([
    "time",
    "adId",
    "adName",
    "clicks",
    "ctr",
    "comparison.time",
    "comparison.clicks",
    "comparison.ctr",
  ]);
  expect(file.text).toContain(`"'=HYPERLINK(""x""),\n"`);
  expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
  expect(file.headers.get("content-disposition")).toMatch(
    /^attachment; filename="report-\d{4}-\d\d-\d\d\.csv"$/,
  );
  expect([negotiated.status, negotiated.text]).toEqual([200, file.text]);
  expect(either.headers.get("content-type")).toMatch(/^application\/json/);
  await service.database.db
    .updateTable("ads")
    .set({ name: "Example Coffee" })
    .where("id", "=", first.id)
    .execute();
});

it.each([
  ["timeZone=Mars/Olympus", "timeZone"],
  ["timeZone=%2B05:45", "timeZone"],
  ["from=2026-11-31", "from"],
  ["from=yesterday", "from"],
  ["from=2026-11-22&to=2026-11-21", "to"],
  ["to=2100-01-01", "to"],
  ["from=2020-01-01&to=2026-01-01", "from"],
  ["from=2026-01-01&to=2026-03-01&granularity=hour", "granularity"],
  ["granularity=decade", "granularity"],
  ["groupBy=ad,tier,source", "groupBy"],
  ["groupBy=colour", "groupBy"],
  ["metrics=visitors", "metrics"],
  ["verdict[is]=good", "verdict.is"],
  ["verdict=valid", "verdict"],
  ["ad[has]=x", "ad[has]"],
  ["sort=newest", "sort"],
  ["compare=week", "compare"],
  ["matchWeekday=true", "matchWeekday"],
  ["perPage=101", "perPage"],
  ["after=x", "after"],
])("refuses %s at %s", async (query, field) => {
  const { caller, path } = publisher;

  expect(await caller.invalid("GET", `${path}/reports?${query}`)).toEqual([field]);
});

it("counts what a file keeps until it is read among the unread answers", async () => {
  const weigh = vi.spyOn(MemberPlaces.prototype, "weigh");
  onTestFinished(() => weigh.mockRestore());
  const query = `${KATHMANDU}&groupBy=ad&groupBy=source`;
  const linesFor = async (asked: string) => {
    const { text } = await publisher.caller.request("GET", `${publisher.path}/reports.csv?${asked}`);
    return linesOf(text).slice(1);
  };

  const groups = await linesFor(query);
  await linesFor(`${query}&granularity=day`);

  expect(groups.length).toBeGreaterThan(1);
  // The texts of a group: once as its key, once as its place, with a separator.
  const texts = groups.reduce(
    (sum, [id = "", _, source = ""]) => sum + 4 * (id.length + 2 + source.length),
    0,
  );
  expect(weigh).toHaveBeenCalledWith(expect.anything(), groups.length * 240 + texts);
  expect(weigh).toHaveBeenCalledWith(expect.anything(), 2 * groups.length * 240 + texts);
});

it("counts what one owner asks in reports and of visitors after each other, beside those of another", async () => {
  const { stats } = service.services;
  const gate = Promise.withResolvers<void>();
  const begun: string[] = [];
  const firstCounted = stats.firstCounted;
  const held = vi.spyOn(stats, "firstCounted").mockImplementation(async (workspaceId, from, table) => {
    begun.push(workspaceId);
    await gate.promise;
    return await firstCounted(workspaceId, from, table);
  });
  onTestFinished(() => held.mockRestore());
  const visitors = vi.spyOn(stats, "audienceOfWorkspace");
  onTestFinished(() => visitors.mockRestore());
  const { caller, path } = publisher;
  const one = asked(KATHMANDU);
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  const both = [
    caller.request("GET", `${path}/reports.csv`),
    caller.request("GET", `${path}/traffic?days=7`),
  ];

  await vi.waitFor(() => expect(begun).toEqual([publisher.workspace.id]));
  const other = asked(KATHMANDU, neighbour);
  await vi.waitFor(() => expect(begun).toEqual([publisher.workspace.id, neighbour.workspace.id]));
  expect(visitors).not.toHaveBeenCalled();
  gate.resolve();
  await Promise.all([one, ...both, other]);

  expect(begun[2]).toBe(publisher.workspace.id);
  expect(visitors).toHaveBeenCalledTimes(1);
});
