import fc from "fast-check";
import { expect, it } from "vitest";
import {
  EVENT_KINDS,
  EVENT_SOURCES,
  READ_VERDICTS,
  type ReadVerdict,
  type TrackedEvent,
  VERDICTS,
} from "#libs/domain/event.ts";
import { DEVICES, NOT_KNOWN, OTHER_VALUE, PLACE_COLUMNS } from "#libs/domain/event-place.ts";
import type { ReportCount, ReportRequest } from "../index.ts";
import { inOrder, QUARTER, reportRig } from "./report-rig.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

const PLACEMENTS = ["", "sidebar", "a, b", "'\\"];
const PATHS = ["/", "/a", "/b,c", OTHER_VALUE];

/** That reports have what the single events give. */
export function testReportsOfAnyEvents(rig: StatsStoreRig): void {
  const { anEvent, happened, asked, report } = reportRig(rig);

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
        ["verdict", READ_VERDICTS] as const,
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
      corrections: fc.array(
        fc.record({
          adId: fc.constantFrom(...ads),
          from: fc.constantFrom("2026-05-08", "2026-05-10", "2026-05-11"),
          to: fc.constantFrom("2026-05-09", "2026-05-10", "2026-05-12"),
        }),
        { maxLength: 2 },
      ),
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

type ReadEvent = Omit<TrackedEvent, "verdict"> & { readonly verdict: ReadVerdict };

/** An event as it is read under corrections. */
function corrected(event: TrackedEvent, corrections: ReportRequest["corrections"] = []): ReadEvent {
  const day = new Date(event.occurredAt).toISOString().slice(0, 10);
  const isCorrected = corrections.some(
    ({ adId, from, to }) => adId === event.adId && from <= day && day <= to,
  );
  return isCorrected && event.verdict === "valid" ? { ...event, verdict: "corrected" } : event;
}

/** The report of single events, for groups that the store knows. */
function bruteForce(all: readonly TrackedEvent[], request: ReportRequest): ReportCount[] {
  const events = all.map((event) => corrected(event, request.corrections));
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
