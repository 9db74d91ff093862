import fc from "fast-check";
import { expect, it } from "vitest";
import { type Report, type ReportRow, report } from "#libs/contract/reports.ts";
import { EVENT_KINDS, EVENT_SOURCES, VERDICTS } from "#libs/domain/event.ts";
import { DEVICES, NO_PLACE, NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import { DIMENSION_NAMES, type ReportDimension } from "#libs/domain/report-dimensions.ts";
import { startManagement } from "../tests/management.ts";
import { linesOf } from "../tests/read-csv.ts";
import { anApprovedAd, aPublisher } from "../tests/story.ts";
import { type CountedEvent, insertEvents } from "./tests/insert-events.ts";

// The clocks of New York and Lord Howe change in these weeks.
const FIRST = Date.UTC(2025, 9, 1);
const LAST = Date.UTC(2025, 10, 14);
const DAY = 86_400_000;

const service = await startManagement({ unlimited: true, stats: "real" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const ads = [await anApprovedAd(service, publisher), await anApprovedAd(service, publisher)];
const events: readonly CountedEvent[] = fc
  .sample<CountedEvent>(
    fc.record({
      workspaceId: fc.constant(publisher.workspace.id),
      adId: fc.constantFrom(...ads.map(({ id }) => id), "ad_01kahm4sw4fksra52s8bd8xkd1"),
      kind: fc.constantFrom(...EVENT_KINDS),
      verdict: fc.constantFrom(...VERDICTS, ...VERDICTS.map(() => "valid" as const)),
      source: fc.constantFrom(...EVENT_SOURCES),
      place: fc.record({
        placement: fc.constantFrom("", "sidebar", "left, top", OTHER_VALUE),
        path: fc.constantFrom("", "/", "/a,b", '/"ü'),
        referrer: fc.constantFrom("", "a.example", "b.example"),
        country: fc.constantFrom("", "DE", "FR"),
        device: fc.constantFrom(...DEVICES),
        browser: fc.constantFrom("", "Firefox", "Chrome"),
      }),
      occurredAt: fc.integer({ min: FIRST, max: LAST }),
    }),
    3_000,
  )
  // So that nothing is before the first event.
  .concat([
    {
      workspaceId: publisher.workspace.id,
      adId: ads[0]?.id ?? "",
      kind: "click",
      verdict: "bot",
      source: "link",
      place: NO_PLACE,
      occurredAt: Date.UTC(2020, 0, 1),
    },
  ]);
await insertEvents(service.services.stats, events);

/** What an event has in a dimension, by the id or the name of the value. */
const VALUE_OF: Readonly<Record<ReportDimension, (event: CountedEvent) => string | undefined>> = {
  ad: ({ adId }) => adId,
  advertiser: ({ adId }) => ads.find(({ id }) => id === adId)?.subscription.advertiser.id,
  tier: ({ adId }) => ads.find(({ id }) => id === adId)?.subscription.tier.id,
  verdict: ({ verdict }) => verdict,
  source: ({ source }) => source,
  placement: ({ place }) => place.placement || NOT_KNOWN,
  path: ({ place }) => place.path || NOT_KNOWN,
  referrer: ({ place }) => place.referrer || NOT_KNOWN,
  country: ({ place }) => place.country || NOT_KNOWN,
  device: ({ place }) => place.device,
  browser: ({ place }) => place.browser || NOT_KNOWN,
};

const questions = fc
  .record({
    zone: fc.constantFrom(
      "UTC",
      "Asia/Kolkata",
      "Asia/Kathmandu",
      "Pacific/Chatham",
      "Australia/Lord_Howe",
      "America/New_York",
    ),
    from: fc.integer({ min: FIRST / DAY, max: LAST / DAY }),
    days: fc.integer({ min: 1, max: 20 }),
    granularity: fc.constantFrom("hour", "day", "week", "month", "none"),
    dimensions: fc.uniqueArray(fc.constantFrom(...DIMENSION_NAMES), { maxLength: 2 }),
    filter: fc.option(
      fc.record({
        by: fc.constantFrom(...DIMENSION_NAMES),
        is: fc.boolean(),
        like: fc.constantFrom(...events.slice(0, 20)),
      }),
    ),
    compare: fc.constantFrom("previous", "year", "none"),
    matchWeekday: fc.constantFrom("yes", "no"),
    sort: fc.constantFrom("impressions", "clicks", "ctr", "invalid"),
  })
  .map(({ from, days, ...rest }) => {
    // So that reports have few pages.
    const to = from + (rest.granularity === "hour" ? 1 : days) - 1;
    return { ...rest, from: dateOf(from), to: dateOf(to) };
  });
type Question = ReturnType<typeof questions.generate>["value"];

function dateOf(day: number): string {
  return new Date(day * DAY).toISOString().slice(0, 10);
}

/** The local date of each event, by zone. */
const dates = new Map<string, readonly string[]>();

/** The events of local dates, both included. */
function eventsOf(timeZone: string, from: string, to: string): readonly CountedEvent[] {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const known = dates.get(timeZone) ?? events.map(({ occurredAt }) => format.format(occurredAt));
  dates.set(timeZone, known);
  return events.filter((_, n) => (known[n] ?? "") >= from && (known[n] ?? "") <= to);
}

function queryOf({ zone, dimensions, filter, from, to, ...rest }: Question): string {
  const value = filter === null ? "" : (VALUE_OF[filter.by](filter.like) ?? "adv_unknown");
  return new URLSearchParams({
    timeZone: zone,
    from,
    to,
    ...rest,
    ...(dimensions.length === 0 ? {} : { groupBy: dimensions.join(",") }),
    ...(filter === null ? {} : { [`${filter.by}[${filter.is ? "is" : "isNot"}]`]: value }),
    metrics: "impressions,clicks,invalid",
  } satisfies Record<string, string>).toString();
}

/** The first pages of a report, 100 rows each, and whether these are all. */
async function read(query: string): Promise<{ answer: Report; rows: ReportRow[] }> {
  const answer = await caller.ok(report, "GET", `${path}/reports?${query}&perPage=100`);
  const rows = [...answer.results];
  for (let page = 2; page <= answer.pageCount; page += 1) {
    const { results } = await caller.ok(report, "GET", `${path}/reports?${query}&perPage=100&page=${page}`);
    rows.push(...results);
  }
  return { answer, rows };
}

const METRICS = ["impressions", "clicks", "invalid"] as const;
const sumOf = (rows: readonly (ReportRow["metrics"] | undefined)[]) =>
  METRICS.map((metric) => rows.reduce((sum, row) => sum + (row?.[metric] ?? 0), 0));

it("has rows that add up to the totals, which are those of the single events", async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const { answer, rows } = await read(queryOf(question));

      const inPeriod = eventsOf(question.zone, question.from, question.to).filter((event) =>
        passes(event, question),
      );
      expect(sumOf([answer.totals.metrics])).toEqual([
        inPeriod.filter(({ verdict, kind }) => verdict === "valid" && kind === "impression").length,
        inPeriod.filter(({ verdict, kind }) => verdict === "valid" && kind === "click").length,
        inPeriod.filter(({ verdict }) => verdict !== "valid").length,
      ]);
      expect(sumOf(rows.map(({ metrics }) => metrics))).toEqual(sumOf([answer.totals.metrics]));
      expect(rows).toHaveLength(answer.total);
      // The hours that clocks repeat or skip have no place of their own in another day.
      if (question.granularity !== "hour") {
        expect(sumOf(rows.map(({ comparison }) => comparison?.metrics))).toEqual(
          sumOf([answer.totals.comparison?.metrics]),
        );
      }
    }),
    { numRuns: 40 },
  );
});

it("has the rows of each time with the highest of `sort` first", async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const { rows } = await read(queryOf(question));

      for (const ofTime of Map.groupBy(rows, ({ dimensions }) => dimensions.time).values()) {
        const ranks = ofTime.map((row) => rankOf(row, question.sort));
        expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
      }
    }),
    { numRuns: 20 },
  );
});

it("has in each row what the single events of its values give, also in the earlier period", async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (asked) => {
      const question: Question = { ...asked, granularity: "none" };
      const { answer, rows } = await read(queryOf(question));
      const countIn = (from: string, to: string, { dimensions }: ReportRow) => {
        const of = eventsOf(question.zone, from, to).filter(
          (event) =>
            passes(event, question) &&
            question.dimensions.every((one) => VALUE_OF[one](event) === keyOf(dimensions[one])),
        );
        const valid = (kind: string) =>
          of.filter((one) => one.verdict === "valid" && one.kind === kind).length;
        return [valid("impression"), valid("click"), of.filter(({ verdict }) => verdict !== "valid").length];
      };

      for (const row of rows) {
        expect(sumOf([row.metrics])).toEqual(countIn(question.from, question.to, row));
        const { comparison } = answer.query;
        if (comparison === null) continue;
        expect(sumOf([row.comparison?.metrics])).toEqual(countIn(comparison.from, comparison.to, row));
      }
    }),
    { numRuns: 20 },
  );
});

it("has the same rows as CSV", async () => {
  await fc.assert(
    fc.asyncProperty(questions, async (question) => {
      const query = queryOf(question);
      const { rows } = await read(query);

      const [head = [], ...lines] = linesOf(
        (await caller.request("GET", `${path}/reports.csv?${query}`)).text,
      );

      expect(lines.map((line) => Object.fromEntries(head.map((name, n) => [name, line[n]])))).toEqual(
        rows.map((row) => cellsOf(row)),
      );
    }),
    { numRuns: 25 },
  );
});

it("has every row in a file that is read and written in many parts", async () => {
  const query =
    "from=2025-10-05&to=2025-11-04&granularity=quarter-hour&groupBy=ad,verdict&metrics=impressions,clicks,invalid";
  const { total, totals } = await caller.ok(report, "GET", `${path}/reports?${query}`);

  const [head = [], ...lines] = linesOf((await caller.request("GET", `${path}/reports.csv?${query}`)).text);

  expect(lines).toHaveLength(total);
  expect(total).toBeGreaterThan(60_000);
  const times = lines.map(([time]) => time ?? "");
  expect(times).toEqual(times.toSorted());
  expect(
    METRICS.map((metric) => lines.reduce((sum, line) => sum + Number(line[head.indexOf(metric)]), 0)),
  ).toEqual(sumOf([totals.metrics]));
});

/** A metric of a row. Of rates, clicks without impressions are the highest and no events the lowest. */
function rankOf({ metrics: { impressions, clicks, invalid } }: ReportRow, sort: Question["sort"]): number {
  if (sort !== "ctr") return { impressions, clicks, invalid }[sort] ?? 0;
  return clicks === 0 && impressions === 0 ? -1 : (clicks ?? 0) / (impressions ?? 0);
}

function passes(event: CountedEvent, { filter }: Question): boolean {
  if (filter === null) return true;
  const value = VALUE_OF[filter.by](filter.like);
  return (value !== undefined && VALUE_OF[filter.by](event) === value) === filter.is;
}

function keyOf(value: ReportRow["dimensions"][ReportDimension]): string | undefined {
  return typeof value === "string" ? value : value?.id;
}

/** A row as the cells of its line. */
function cellsOf({ dimensions, metrics, comparison }: ReportRow): Record<string, string> {
  const cells: Record<string, string> = {};
  const put = (name: string, value: string | number | null | undefined) => {
    cells[name] = value === null || value === undefined ? "" : String(value);
  };
  for (const [name, value] of Object.entries(dimensions)) {
    if (name === "ad" || name === "advertiser" || name === "tier") {
      const named = typeof value === "string" ? null : value;
      put(`${name}Id`, named?.id);
      put(`${name}Name`, named?.name);
    } else put(name, typeof value === "string" ? value : null);
  }
  for (const [name, value] of Object.entries(metrics)) put(name, value);
  for (const [name, value] of Object.entries(comparison?.metrics ?? {})) put(`comparison.${name}`, value);
  if (comparison?.time !== undefined) put("comparison.time", comparison.time);
  return cells;
}
