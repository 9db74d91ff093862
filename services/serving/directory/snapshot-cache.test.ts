import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { packIfLarge } from "./packed-snapshot.ts";
import { type PreparedSnapshot, prepareSnapshot, sizeOf } from "./prepared-snapshot.ts";
import { SnapshotCache } from "./snapshot-cache.ts";

const LIMITS = { impressionsPerMinute: 5, clicksPerMinute: null };

function adId(number: number): string {
  return `ad_${String(number).padStart(26, "0")}`;
}

/** With ads whose ids begin alike, so that only their ends tell them apart. */
function prepared(workspace: number, ads: readonly number[], version = 1): PreparedSnapshot {
  return prepareSnapshot(
    aSnapshot({
      workspaceId: `ws_${workspace}`,
      version,
      limits: LIMITS,
      requireProof: true,
      recordPages: false,
      countVisitors: false,
      ads: ads.map((ad) =>
        anAd({
          id: adId(ad),
          name: `Ad ${ad} – “ünïcode”`,
          servingSince: ad === 0 ? null : ad,
          servingUntil: ad === 1 ? 7 : null,
        }),
      ),
    }),
  );
}

/** Room for one prepared snapshot of three ads, and for any number of compressed ones. */
function withLittleRoom(): SnapshotCache {
  return new SnapshotCache({ maxPreparedBytes: Math.floor(sizeOf(prepared(1, [1, 2, 3])) * 1.5) });
}

it("returns what was set, decompressed or not", () => {
  const cache = withLittleRoom();
  const snapshots = [1, 2, 3].map((workspace) => prepared(workspace, [workspace * 10, workspace * 10 + 1]));
  for (const snapshot of snapshots) cache.set(snapshot);

  for (const snapshot of [...snapshots, ...snapshots]) {
    expect(cache.get(snapshot.workspaceId)).toEqual(snapshot);
  }
  expect(cache.workspaceIds().sort()).toEqual(["ws_1", "ws_2", "ws_3"]);
});

it("finds ads of compressed snapshots", () => {
  const cache = withLittleRoom();
  cache.set(prepared(1, [0, 1, 11]));
  cache.set(prepared(2, [2]));
  cache.set(prepared(3, [3]));

  expect(cache.ad(adId(11))).toEqual({
    id: adId(11),
    workspaceId: "ws_1",
    servedUntil: Number.POSITIVE_INFINITY,
    rules: { owner: "", limits: LIMITS, requireProof: true, recordPages: false, countVisitors: false },
  });
  expect(cache.ad(adId(1))?.servedUntil).toBe(7);
  expect(cache.ad(adId(0))?.servedUntil).toBe(Number.NEGATIVE_INFINITY);
  expect(cache.ad(adId(111))).toBeUndefined();
  expect(cache.ad("ad_")).toBeUndefined();
});

it("keeps a snapshot that is larger than the room for prepared ones", () => {
  const cache = new SnapshotCache({ maxPreparedBytes: 100 });
  const snapshot = prepared(1, [1, 2, 3]);

  cache.set(snapshot);

  expect(cache.get("ws_1")).toEqual(snapshot);
  expect(cache.get("ws_1")).toEqual(snapshot);
});

/** One of about a megabyte, which is packed. */
function large(workspace: number, version = 1): PreparedSnapshot {
  const ads = Array.from({ length: 60 }, (_, index) =>
    anAd({
      id: adId(workspace * 1_000 + index),
      name: `Ad ${index} – “ünïcode”`,
      clickUrl: index % 3 === 0 ? null : `https://ad.example/${index}`,
      meta: { story: randomBytes(index % 2 === 0 ? 12_000 : 20).toString("hex") },
    }),
  );
  return prepareSnapshot(aSnapshot({ workspaceId: `ws_${workspace}`, version, ads }));
}

/** With the JSON of its ads read. */
function read(snapshot: PreparedSnapshot | undefined) {
  return { ...snapshot, ads: snapshot?.ads.map((ad) => ({ ...ad, json: ad.json })) };
}

/** Sets a snapshot of any size. */
async function set(cache: SnapshotCache, snapshot: PreparedSnapshot): Promise<void> {
  cache.set(snapshot, await packIfLarge(snapshot));
}

it("returns large snapshots as they were set", async () => {
  const cache = new SnapshotCache();
  const snapshots = [large(1), large(2)];
  for (const snapshot of snapshots) await set(cache, snapshot);

  for (const snapshot of [...snapshots, ...snapshots]) {
    expect(read(cache.get(snapshot.workspaceId))).toEqual(snapshot);
  }
  expect(cache.ad(adId(1_039))?.workspaceId).toBe("ws_1");
});

it("replaces a large snapshot by one of any size, and a small one by a large one", async () => {
  const cache = new SnapshotCache();
  const snapshots = [prepared(1, [1]), large(1, 2), large(1, 3), prepared(1, [1], 4), large(1, 5)];

  const found: unknown[] = [];
  for (const snapshot of snapshots) {
    await set(cache, snapshot);
    found.push([read(cache.get("ws_1")), read(cache.get("ws_1"))]);
  }

  expect(found).toEqual(snapshots.map((snapshot) => [snapshot, snapshot]));
});

it("keeps prepared what is used again, newer versions too, however many others are used once meanwhile", () => {
  const cache = withLittleRoom();
  const others = Array.from({ length: 400 }, (_, n) => prepared(n + 2, [n + 10]));
  for (const other of others) cache.set(other);
  cache.set(prepared(1, [1, 2, 3]));
  const kept = cache.get("ws_1");

  for (const { workspaceId } of others) cache.get(workspaceId);
  const afterOthers = cache.get("ws_1");
  const newer = prepared(1, [1, 2, 3], 2);
  cache.set(newer);
  for (const { workspaceId } of others) cache.get(workspaceId);

  expect(kept?.version).toBe(1);
  expect(afterOthers).toBe(kept);
  expect(cache.get("ws_1")).toBe(newer);
});

it("does not keep what is larger than all the room, and continues with the rest", () => {
  const cache = new SnapshotCache({ maxCompressedBytes: 3_000 });
  cache.set(prepared(1, [1]));

  const huge = prepared(
    2,
    Array.from({ length: 500 }, (_, ad) => 1_000 + ad),
  );
  cache.set(huge);
  cache.set(huge);

  expect([cache.get("ws_2"), cache.ad(adId(1_001))]).toEqual([undefined, undefined]);
  expect(cache.ad(adId(1))?.workspaceId).toBe("ws_1");
});

it("forgets the least recently used when there are too many compressed bytes", () => {
  const cache = new SnapshotCache({ maxPreparedBytes: 100, maxCompressedBytes: 40_000 });
  for (let workspace = 0; workspace < 20; workspace += 1) {
    const ads = [anAd({ id: adId(workspace), name: randomBytes(4_000).toString("hex") })];
    cache.set(prepareSnapshot(aSnapshot({ workspaceId: `ws_${workspace}`, ads })));
  }

  expect(cache.workspaceIds().length).toBeLessThan(10);
  expect([cache.version("ws_0"), cache.ad(adId(0))]).toEqual([undefined, undefined]);
  expect(cache.get("ws_19")?.ads).toHaveLength(1);
});

it("does not return an older version after one was replaced", () => {
  const cache = withLittleRoom();
  const newer = prepared(1, [1, 2], 2);
  cache.set(prepared(1, [1], 1));
  cache.set(newer);

  cache.set(prepared(2, [3, 4, 5]));

  expect(cache.get("ws_1")).toEqual(newer);
});

it("forgets the least recently used when there are too many workspaces, ads included", () => {
  const cache = new SnapshotCache({ maxWorkspaces: 2 });
  cache.set(prepared(1, [1]));
  cache.set(prepared(2, [2]));
  cache.ad(adId(1));

  cache.set(prepared(3, [3]));

  expect(cache.workspaceIds().sort()).toEqual(["ws_1", "ws_3"]);
  expect([cache.get("ws_2"), cache.version("ws_2"), cache.ad(adId(2))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(cache.ad(adId(1))?.workspaceId).toBe("ws_1");
});

it("finds every ad of the cached snapshots and no other, after any sequence of changes", () => {
  const command = fc.record({
    workspace: fc.integer({ min: 1, max: 6 }),
    ads: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 5 }),
  });

  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const cache = new SnapshotCache({ maxWorkspaces: 3, maxPreparedBytes: 2_000 });

      for (const [version, { workspace, ads }] of commands.entries()) {
        cache.set(
          prepared(
            workspace,
            ads.map((ad) => workspace * 10 + ad),
            version,
          ),
        );
      }

      const expected = cache.workspaceIds().flatMap((id) => cache.get(id)?.ads.map((ad) => ad.id) ?? []);
      const found = Array.from({ length: 70 }, (_, ad) => adId(ad)).filter(
        (id) => cache.ad(id) !== undefined,
      );
      expect(found).toEqual(expected.sort());
    }),
  );
});

it("does not confuse ads of workspaces that follow each other", () => {
  const cache = new SnapshotCache({ maxWorkspaces: 1 });
  cache.set(prepared(1, [1, 2]));
  cache.set(prepared(2, [3, 4]));

  expect(cache.ad(adId(1))).toBeUndefined();
  expect(cache.ad(adId(3))?.workspaceId).toBe("ws_2");
  expect(cache.ad(newId("ad"))).toBeUndefined();
});
