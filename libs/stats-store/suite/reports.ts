import fc from "fast-check";
import { expect, it } from "vitest";
import { EVENT_KINDS, EVENT_SOURCES, type TrackedEvent, VERDICTS } from "#libs/domain/event.ts";
import { DEVICES, NO_PLACE, NOT_KNOWN, OTHER_VALUE, PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import type { ReportCondition, ReportCount, ReportGroup, ReportRequest } from "../index.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

const QUARTER = 900_000;
const MANY = 1_000;
const PLACEMENTS = ["", "sidebar", "a, b", "'\\"];
const PATHS = ["/", "/a", "/b,c", OTHER_VALUE];

/** What is counted by time, by ad, by groups of ads, by verdict, by source and by place. */
export function testReports(rig: StatsStoreRig): void {
  const anEvent = (changes: Partial<TrackedEvent> = {}) => rig.anEvent({ source: "link", ...changes });
  const happened = (...events: TrackedEvent[]) => rig.insert(...events);
  const asked = (changes: Partial<ReportRequest> = {}): ReportRequest => ({
    workspaceId: rig.workspaceId,
    from: NOON,
    until: NOON + 4 * QUARTER,
    groupBy: [],
    where: [],
    ...changes,
  });
  const report = async (changes: Partial<ReportRequest> = {}, limit = MANY) =>
    inOrder(await rig.store.reportCounts(asked(changes), limit));

  it("counts valid impressions and clicks, and everything else as invalid, between two instants", async () => {
    await happened(
      anEvent({ occurredAt: NOON - 1 }),
      anEvent(),
      anEvent({ kind: "click" }),
      anEvent({ verdict: "bot" }),
      anEvent({ verdict: "limited", kind: "click", occurredAt: NOON + 4 * QUARTER - 1 }),
      anEvent({ occurredAt: NOON + 4 * QUARTER }),
      anEvent({ workspaceId: "ws_other" }),
    );

    expect(await report()).toEqual([{ start: 0, keys: [], impressions: 1, clicks: 1, invalid: 2 }]);
    expect(await report({ workspaceId: "ws_unknown" })).toEqual([]);
    expect(await report({ from: NOON + QUARTER, until: NOON + QUARTER })).toEqual([]);
  });

  it("counts by buckets of any length, and leaves out those without events", async () => {
    await happened(
      anEvent(),
      anEvent({ occurredAt: NOON + QUARTER - 1 }),
      anEvent({ occurredAt: NOON + 3 * QUARTER }),
    );

    expect(await report({ starts: [NOON, NOON + QUARTER, NOON + 2 * QUARTER] })).toEqual([
      { start: NOON, keys: [], impressions: 2, clicks: 0, invalid: 0 },
      { start: NOON + 2 * QUARTER, keys: [], impressions: 1, clicks: 0, invalid: 0 },
    ]);
  });

  it("counts by two of ad, verdict, source and groups of ads", async () => {
    const advertisers = {
      groups: ["adv_1", "adv_2"],
      groupOfAd: new Map([
        ["ad_1", "adv_1"],
        ["ad_2", "adv_2"],
        ["ad_3", "adv_2"],
      ]),
    };
    await happened(
      anEvent(),
      anEvent({ adId: "ad_2", source: "server" }),
      anEvent({ adId: "ad_3", verdict: "bot" }),
      anEvent({ adId: "ad_3", kind: "click", source: "server" }),
      anEvent({ adId: "ad_4" }),
    );
    const counted = async (...groupBy: ReportGroup[]) =>
      (await report({ groupBy })).map(({ keys, impressions, clicks, invalid }) => [
        ...keys,
        [impressions, clicks, invalid],
      ]);

    expect(await counted("ad")).toEqual([
      ["ad_1", [1, 0, 0]],
      ["ad_2", [1, 0, 0]],
      ["ad_3", [0, 1, 1]],
      ["ad_4", [1, 0, 0]],
    ]);
    expect(await counted(advertisers, "source")).toEqual([
      ["adv_1", "link", [1, 0, 0]],
      ["adv_2", "link", [0, 0, 1]],
      ["adv_2", "server", [1, 1, 0]],
      [null, "link", [1, 0, 0]],
    ]);
    expect(await counted("verdict", advertisers)).toEqual([
      ["bot", "adv_2", [0, 0, 1]],
      ["valid", "adv_1", [1, 0, 0]],
      ["valid", "adv_2", [1, 1, 0]],
      ["valid", null, [1, 0, 0]],
    ]);
  });

  it("shows the source of earlier releases' events as unknown", async () => {
    await rig.client.insert({
      table: "quarter",
      values: [
        {
          workspace_id: rig.workspaceId,
          ad_id: "ad_1",
          bucket: NOON / 1000,
          kind: "impression",
          verdict: "valid",
          source: "",
          events: 2,
        },
      ],
      format: "JSONEachRow",
    });
    await happened(anEvent({ source: "unknown" }), anEvent());
    const unknown: ReportCondition = { by: "source", is: true, values: ["unknown"] };

    expect(
      (await report({ groupBy: ["source"] })).map(({ keys, impressions }) => [...keys, impressions]),
    ).toEqual([
      ["link", 1],
      ["unknown", 3],
    ]);
    expect(await report({ where: [unknown] })).toMatchObject([{ impressions: 3 }]);
    expect(await report({ where: [{ ...unknown, is: false }] })).toMatchObject([{ impressions: 1 }]);
  });

  it("shows the places of earlier releases' events, which are filled in, as not known", async () => {
    await rig.client.insert({
      table: "wide (workspace_id, ad_id, bucket, kind, verdict, source, events)",
      values: [[rig.workspaceId, "ad_1", NOON / 1000, "impression", "valid", "page", 2]],
      format: "JSONCompactEachRow",
    });
    await happened(anEvent(), anEvent({ place: { ...NO_PLACE, device: "phone", country: "DE" } }));

    expect(await report({ groupBy: ["device", "country"] })).toMatchObject([
      { keys: ["phone", "DE"], impressions: 1 },
      { keys: ["unknown", NOT_KNOWN], impressions: 3 },
    ]);
  });

  it("finds events by parts of their path, in the case that is given, nothing else", async () => {
    const on = (path: string) => anEvent({ place: { ...NO_PLACE, path } });
    await happened(on("/blog/a%_b"), on("/Blog/ü"), on("/"), anEvent());
    const having = (is: boolean, ...values: string[]) =>
      report({ groupBy: ["path"], where: [{ by: "path", is, values, arePart: true }] });

    expect(await having(true, "blog")).toMatchObject([{ keys: ["/blog/a%_b"] }]);
    expect(await having(true, "%_", "ü")).toMatchObject([{ keys: ["/Blog/ü"] }, { keys: ["/blog/a%_b"] }]);
    expect(await having(true, "%b", "\\")).toEqual([]);
    expect(await having(true)).toEqual([]);
    expect(await having(false, "log")).toMatchObject([{ keys: [NOT_KNOWN] }, { keys: ["/"] }]);
  });

  it("counts the rarest texts together, by the events of all spans, and keeps what else they are split by", async () => {
    const on = (path: string, hours: number, changes: Partial<TrackedEvent> = {}) =>
      anEvent({ ...changes, occurredAt: NOON + hours * 4 * QUARTER, place: { ...NO_PLACE, path } });
    await happened(
      ...[on("/a", 0), on("/a", 0), on("/a", 0), on("/b", 1), on("/b", 1), on("/c", 0), on("/d", 1)],
      on("/c", 1, { verdict: "bot" }),
      on("/e", 0, { adId: "ad_2" }),
    );
    const spans = [0, 1].map((hour) => ({
      from: NOON + hour * 4 * QUARTER,
      until: NOON + (hour + 1) * 4 * QUARTER,
    }));
    const kept = async (groupBy: ReportGroup[], most: number) =>
      await rig.store.mostCounted(asked({ groupBy }), spans, most);
    const folded = async (groupBy: ReportGroup[], most: number) =>
      (await report({ groupBy, kept: await kept(groupBy, most), until: NOON + 8 * QUARTER })).map(
        ({ keys, impressions, invalid }) => [...keys, impressions, invalid],
      );

    expect(await folded(["path"], 2)).toEqual([
      [OTHER_VALUE, 3, 1],
      ["/a", 3, 0],
      ["/b", 2, 0],
    ]);
    expect(await folded(["path"], 9)).toHaveLength(5);
    expect(await folded(["ad", "path"], 1)).toEqual([
      ["ad_1", OTHER_VALUE, 4, 1],
      ["ad_1", "/a", 3, 0],
      ["ad_2", OTHER_VALUE, 1, 0],
    ]);
    expect(
      await report({
        groupBy: ["path"],
        kept: await kept(["path"], 1),
        until: NOON + 8 * QUARTER,
        starts: spans.map(({ from }) => from),
      }),
    ).toMatchObject([
      { start: NOON, keys: [OTHER_VALUE], impressions: 2, invalid: 0 },
      { start: NOON, keys: ["/a"], impressions: 3 },
      { start: NOON + 4 * QUARTER, keys: [OTHER_VALUE], impressions: 3, invalid: 1 },
    ]);
  });

  it("answers at most as many rows as asked for", async () => {
    await happened(...["ad_1", "ad_2", "ad_3"].map((adId) => anEvent({ adId })));

    expect(await report({ groupBy: ["ad"] }, 2)).toHaveLength(2);
  });

  it("takes groups of 20,000 ads, and a filter with as many", async () => {
    const idOf = (n: number) => `ad_${String(n).padStart(26, "0")}`;
    const ids = Array.from({ length: 20_000 }, (_, n) => idOf(n));
    const advertiserOf = (n: number) => `adv_${n % 7_000}`;
    await happened(
      anEvent({ adId: idOf(6) }),
      anEvent({ adId: idOf(19_999) }),
      anEvent({ adId: "ad_other" }),
    );
    const groups = ids.slice(0, 7_000).map((_, n) => advertiserOf(n));
    const groupOfAd = new Map(ids.map((id, n) => [id, advertiserOf(n)]));

    expect(await report({ groupBy: [{ groups, groupOfAd }] })).toMatchObject([
      { keys: [advertiserOf(19_999)], impressions: 1 },
      { keys: [advertiserOf(6)], impressions: 1 },
      { keys: [null], impressions: 1 },
    ]);
    expect(await report({ where: [{ by: "ad", is: true, values: ids }] })).toMatchObject([
      { impressions: 2 },
    ]);
    expect(await report({ where: [{ by: "ad", is: false, values: ids }] })).toMatchObject([
      { impressions: 1 },
    ]);
    expect(await report({ where: [{ by: "ad", is: true, values: [] }] })).toEqual([]);
    expect(await report({ where: [{ by: "ad", is: false, values: [] }] })).toMatchObject([
      { impressions: 3 },
    ]);
  });

  it("tells when a workspace had its first event, of whatever verdict", async () => {
    const first = (from: number) => rig.store.firstCounted(rig.workspaceId, from, "quarter");
    expect(await first(NOON)).toBeNull();

    await happened(anEvent(), anEvent({ verdict: "bot", occurredAt: NOON - QUARTER + 1 }));

    expect(await first(NOON - 9 * QUARTER)).toBe(NOON - QUARTER);
    expect(await first(NOON - QUARTER)).toBe(NOON - QUARTER);
    expect(await first(NOON)).toBe(NOON - QUARTER);
    expect(await first(NOON + QUARTER)).toBeLessThan(NOON + QUARTER);
  });

  it("counts what a count of the single events gives, however it is split and filtered", async () => {
    const ads = ["ad_1", "ad_2", "ad_3"];
    const events = fc.array(
      fc.record({
        adId: fc.constantFrom(...ads),
        kind: fc.constantFrom(...EVENT_KINDS),
        verdict: fc.constantFrom(...VERDICTS),
        source: fc.constantFrom(...EVENT_SOURCES),
        place: fc.record({
          placement: fc.constantFrom(...PLACEMENTS),
          path: fc.constantFrom(...PATHS),
          referrer: fc.constantFrom("", "a.example"),
          country: fc.constantFrom("", "DE", "FR"),
          device: fc.constantFrom(...DEVICES),
          browser: fc.constantFrom("", "Firefox"),
        }),
        occurredAt: fc.integer({ min: NOON - QUARTER, max: NOON + 5 * QUARTER }),
      }),
      { minLength: 1, maxLength: 60 },
    );
    const condition = fc
      .constantFrom(
        ["ad", ads] as const,
        ["verdict", VERDICTS] as const,
        ["source", EVENT_SOURCES] as const,
        ["placement", [NOT_KNOWN, ...PLACEMENTS]] as const,
        ["path", PATHS] as const,
        ["country", [NOT_KNOWN, "DE", "XX"]] as const,
        ["device", DEVICES] as const,
      )
      .chain(([by, values]) =>
        fc.record({ by: fc.constant(by), is: fc.boolean(), values: fc.subarray([...values]) }),
      );
    const dimension = fc.constantFrom("ad", "verdict", "source", ...PLACE_COLUMNS);
    const request = fc.record({
      groupBy: fc.uniqueArray(dimension, { maxLength: 2 }),
      where: fc.array(condition, { maxLength: 2 }),
      starts: fc.option(fc.constantFrom([NOON], [NOON, NOON + QUARTER, NOON + 3 * QUARTER]), {
        nil: undefined,
      }),
    });
    await fc.assert(
      fc.asyncProperty(events, request, async (facts, { starts, ...rest }) => {
        rig.enterWorkspace();
        const all = facts.map((fact) => anEvent(fact));
        await happened(...all);

        const counted = await report({ ...rest, ...(starts === undefined ? {} : { starts }) });

        expect(counted).toEqual(
          bruteForce(all, asked({ ...rest, ...(starts === undefined ? {} : { starts }) })),
        );
      }),
      { numRuns: 60 },
    );
  });
}

function inOrder(counts: readonly ReportCount[]): ReportCount[] {
  const placeOf = ({ start, keys }: ReportCount) => [start, ...keys.map((key) => key ?? "~")].join(" ");
  return counts.toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1));
}

/** The report of single events, for groups that the store knows. */
function bruteForce(events: readonly TrackedEvent[], request: ReportRequest): ReportCount[] {
  const { from, until, starts, groupBy, where } = request;
  const rows = new Map<
    string,
    { start: number; keys: string[]; impressions: number; clicks: number; invalid: number }
  >();
  for (const { adId, verdict, source, kind, occurredAt, place: at } of events) {
    const told = Object.fromEntries(PLACE_COLUMNS.map((column) => [column, at[column] || NOT_KNOWN]));
    const values: Readonly<Record<string, string>> = { ...told, ad: adId, verdict, source };
    if (occurredAt < from || occurredAt >= until) continue;
    if (where.some((one) => one.values.includes(values[one.by] ?? "") !== one.is)) continue;
    const start = starts?.findLast((one) => one <= occurredAt) ?? 0;
    const keys = groupBy.map((group) => (typeof group === "string" ? (values[group] ?? "") : ""));
    const place = JSON.stringify([start, keys]);
    const row = rows.get(place) ?? { start, keys, impressions: 0, clicks: 0, invalid: 0 };
    if (verdict !== "valid") row.invalid += 1;
    else if (kind === "impression") row.impressions += 1;
    else row.clicks += 1;
    rows.set(place, row);
  }
  return inOrder([...rows.values()]);
}
