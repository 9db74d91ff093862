import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { HeldSnapshots } from "./held-snapshots.ts";
import { type PreparedSnapshot, prepareSnapshot, sizeOf } from "./prepared-snapshot.ts";
import { anAd, aSnapshot } from "./tests/builders.ts";

const LIMITS = { impressionsPerMinute: 5, clicksPerMinute: null };

/** With ads whose ids begin alike, so that only their ends tell them apart. */
function prepared(workspace: number, ads: readonly number[], version = 1): PreparedSnapshot {
  return prepareSnapshot(
    aSnapshot({
      workspaceId: `ws_${workspace}`,
      version,
      limits: LIMITS,
      ads: ads.map((ad) =>
        anAd({
          id: `ad_${ad}`,
          name: `Ad ${ad} – “ünïcode”`,
          servingSince: ad === 0 ? null : ad,
          servingUntil: null,
        }),
      ),
    }),
  );
}

/** Room for one ready snapshot of three ads, and for any number of packed ones. */
function withLittleReady(): HeldSnapshots {
  return new HeldSnapshots({ maxReadyBytes: Math.floor(sizeOf(prepared(1, [1, 2, 3])) * 1.5) });
}

it("gives back what it holds, whether it was packed in between or not", () => {
  const held = withLittleReady();
  const snapshots = [1, 2, 3].map((workspace) => prepared(workspace, [workspace * 10, workspace * 10 + 1]));
  for (const snapshot of snapshots) held.keep(snapshot);

  for (const snapshot of [...snapshots, ...snapshots]) {
    expect(held.get(snapshot.workspaceId)).toEqual(snapshot);
  }
  expect(held.workspaceIds().sort()).toEqual(["ws_1", "ws_2", "ws_3"]);
});

it("tells tracking of packed ads too", () => {
  const held = withLittleReady();
  held.keep(prepared(1, [0, 1, 11]));
  held.keep(prepared(2, [2]));
  held.keep(prepared(3, [3]));

  expect(held.ad("ad_11")).toEqual({
    id: "ad_11",
    workspaceId: "ws_1",
    servingSince: 11,
    servingUntil: null,
    limits: LIMITS,
  });
  expect(held.ad("ad_0")?.servingSince).toBeNull();
  expect(held.ad("ad_111")).toBeUndefined();
  expect(held.ad("ad_")).toBeUndefined();
});

it("holds a snapshot that is larger than all the room for ready ones", () => {
  const held = new HeldSnapshots({ maxReadyBytes: 100 });
  const snapshot = prepared(1, [1, 2, 3]);

  held.keep(snapshot);

  expect(held.get("ws_1")).toEqual(snapshot);
  expect(held.get("ws_1")).toEqual(snapshot);
});

it("does not hold what is larger than all there is, and goes on with the rest", () => {
  const held = new HeldSnapshots({ maxPackedBytes: 3_000 });
  held.keep(prepared(1, [1]));

  const huge = prepared(
    2,
    Array.from({ length: 500 }, (_, ad) => 1_000 + ad),
  );
  held.keep(huge);
  held.keep(huge);

  expect([held.get("ws_2"), held.ad("ad_1001")]).toEqual([undefined, undefined]);
  expect(held.ad("ad_1")?.workspaceId).toBe("ws_1");
});

it("counts what is packed, so that the least used go when there is too much of it", () => {
  const held = new HeldSnapshots({ maxReadyBytes: 100, maxPackedBytes: 40_000 });
  for (let workspace = 0; workspace < 20; workspace += 1) {
    const ads = [anAd({ id: `ad_${workspace}`, name: randomBytes(4_000).toString("hex") })];
    held.keep(prepareSnapshot(aSnapshot({ workspaceId: `ws_${workspace}`, ads })));
  }

  expect(held.workspaceIds().length).toBeLessThan(10);
  expect([held.version("ws_0"), held.ad("ad_0")]).toEqual([undefined, undefined]);
  expect(held.get("ws_19")?.ads).toHaveLength(1);
});

it("does not bring an older version back by packing", () => {
  const held = withLittleReady();
  const newer = prepared(1, [1, 2], 2);
  held.keep(prepared(1, [1], 1));
  held.keep(newer);

  held.keep(prepared(2, [3, 4, 5]));

  expect(held.get("ws_1")).toEqual(newer);
});

it("forgets who was used least when there are too many, ads included", () => {
  const held = new HeldSnapshots({ maxWorkspaces: 2 });
  held.keep(prepared(1, [1]));
  held.keep(prepared(2, [2]));
  held.ad("ad_1");

  held.keep(prepared(3, [3]));

  expect(held.workspaceIds().sort()).toEqual(["ws_1", "ws_3"]);
  expect([held.get("ws_2"), held.version("ws_2"), held.ad("ad_2")]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(held.ad("ad_1")?.workspaceId).toBe("ws_1");
});

it("knows every ad that is there, and none that is not, whatever came and went", () => {
  const command = fc.record({
    workspace: fc.integer({ min: 1, max: 6 }),
    ads: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 5 }),
  });

  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const held = new HeldSnapshots({ maxWorkspaces: 3, maxReadyBytes: 2_000, strayPlaces: 3 });

      for (const [version, { workspace, ads }] of commands.entries()) {
        held.keep(
          prepared(
            workspace,
            ads.map((ad) => workspace * 10 + ad),
            version,
          ),
        );
      }

      const there = held.workspaceIds().flatMap((id) => held.get(id)?.ads.map((ad) => ad.id) ?? []);
      const known = Array.from({ length: 70 }, (_, ad) => `ad_${ad}`).filter(
        (id) => held.ad(id) !== undefined,
      );
      expect(known).toEqual(known.filter((id) => there.includes(id)));
      expect(known.length).toBe(there.length);
    }),
  );
});

it("does not take one ad for another that shares its place", () => {
  const held = new HeldSnapshots({ maxWorkspaces: 1 });
  held.keep(prepared(1, [1, 2]));
  held.keep(prepared(2, [3, 4]));

  expect(held.ad("ad_1")).toBeUndefined();
  expect(held.ad("ad_3")?.workspaceId).toBe("ws_2");
  expect(held.ad(newId("ad"))).toBeUndefined();
});
