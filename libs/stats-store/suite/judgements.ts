import { expect, it } from "vitest";
import { NOON, type StatsStoreRig } from "./rig.ts";

const DAY = new Date(NOON).toISOString().slice(0, 10);

/** How stored verdicts are checked and found again. */
export function testJudgements(rig: StatsStoreRig): void {
  const [valid, duplicate] = ["valid", "duplicate"] as const;
  const at = (ms: number, verdict: typeof valid | typeof duplicate, visitor = "fedcba9876543210") =>
    rig.anEvent({ kind: "click", verdict, visitor, occurredAt: NOON + ms });
  const faultsOf = async () =>
    (await rig.store.judgementFaults(DAY, 1_000)).visitors.filter(
      ({ workspaceId }) => workspaceId === rig.workspaceId,
    );

  it("finds no fault with duplicates that have an original, before or after them", async () => {
    await rig.insert(at(0, valid), at(1_999, duplicate), at(2_000, valid), at(-1_999, duplicate));

    expect(await faultsOf()).toEqual([]);
  });

  it("finds events that count within the window of another, and duplicates of none", async () => {
    await rig.insert(at(0, valid), at(1_999, valid), at(10_000, duplicate), at(0, valid, "another0visitor0"));

    expect(await faultsOf()).toEqual([
      {
        workspaceId: rig.workspaceId,
        adId: expect.any(String),
        kind: "click",
        visitor: "fedcba9876543210",
        tooNear: 1,
        withoutOriginal: 1,
      },
    ]);
  });

  it("counts the rows of a day whose event id another row has", async () => {
    const before = (await rig.store.judgementFaults(DAY, 1)).doubledEvents;
    const [one, other] = [rig.anEvent(), rig.anEvent()];

    await rig.insert(one, other);
    await rig.insert(one);
    await rig.insert({ ...one, adId: "ad_2" }, { ...other, occurredAt: NOON + 86_400_000 });

    expect((await rig.store.judgementFaults(DAY, 1)).doubledEvents).toBe(before + 2);
  });

  it("finds the events of visitors that count, around a time", async () => {
    const stored = [at(0, valid), at(3_000, duplicate), at(60_000, valid), at(0, valid, "another0visitor0")];
    await rig.insert(...stored);
    const [first] = stored;
    if (first === undefined) throw new Error("There is no event.");

    const found = await rig.store.countedVisits(
      [{ ...first, id: "evt_later", occurredAt: NOON + 5_000 }],
      10_000,
    );

    const { verdict: _verdict, source: _source, place: _place, ...visit } = first;
    expect(found).toEqual([visit]);
    expect(await rig.store.countedVisits([], 10_000)).toEqual([]);
  });

  it("finds only what is near the visits, however much their visitors saw within the hour", async () => {
    const minutes = Array.from({ length: 27 }, (_, minute) => NOON + minute * 60_000);
    const visits = Array.from({ length: 5_000 }, (_, n) =>
      rig.anEvent({ occurredAt: (minutes[n % 27] ?? NOON) + 5_000 }),
    );
    for (const occurredAt of minutes)
      await rig.insert(...visits.map(({ visitor }) => rig.anEvent({ visitor, occurredAt })));

    expect(await rig.store.countedVisits(visits, 10_000)).toHaveLength(visits.length);
  });

  it("finds what is near each visit, and not all that its visitor saw and did at that moment", async () => {
    const [adIds, visitors] = [
      [..."abcde"].map((ad) => `ad_${ad}`),
      ["visitor000000000", "visitor000000001"],
    ];
    const ofEach = (occurredAt: number) =>
      visitors.flatMap((visitor) =>
        adIds.flatMap((adId) =>
          (["click", "impression"] as const).map((kind) => rig.anEvent({ adId, kind, visitor, occurredAt })),
        ),
      );
    await rig.insert(...ofEach(NOON));
    const visits = ofEach(NOON + 1_000).filter(({ kind, adId, visitor }) =>
      visitor === visitors[0]
        ? kind === "click" && adId === "ad_a"
        : kind === "impression" && adId === "ad_b",
    );

    expect(await rig.store.countedVisits(visits, 2_000)).toHaveLength(visits.length);
  });
}
