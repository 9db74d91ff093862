import { expect, it } from "vitest";
import type { TrackedEvent } from "#libs/domain/event.ts";
import { NO_PLACE, NOT_KNOWN, OTHER_VALUE } from "#libs/domain/event-place.ts";
import type { ReportGroup } from "../index.ts";
import { QUARTER, reportRig } from "./report-rig.ts";
import { NOON, type StatsStoreRig } from "./rig.ts";

/** What is counted by place, and which texts are counted together. */
export function testReportsByPlace(rig: StatsStoreRig): void {
  const { anEvent, happened, asked, report } = reportRig(rig);

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
}
