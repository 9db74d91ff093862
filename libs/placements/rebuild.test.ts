import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { createMemoryPlacements } from "./memory.ts";
import { emptySnapshot, type SnapshotSource } from "./port.ts";
import { rebuildSnapshots } from "./rebuild.ts";

const WORKSPACES = 450;

/** A database with all workspaces at version 2; `atOnce` is the most that were loaded at the same time. */
function aSource() {
  const ids = Array.from({ length: WORKSPACES }, () => newId("workspace")).sort();
  const seen = { atOnce: 0, pages: 0 };
  let loading = 0;
  const source: SnapshotSource = {
    async loadSnapshot(workspaceId) {
      loading += 1;
      seen.atOnce = Math.max(seen.atOnce, loading);
      await new Promise((resolve) => setImmediate(resolve));
      loading -= 1;
      return emptySnapshot(workspaceId, 2);
    },
    workspacesOfAds: async () => new Map(),
    versions: async () => new Map(),
    async workspacesAfter(after, count) {
      seen.pages += 1;
      return new Map(
        ids
          .filter((id) => id > (after ?? ""))
          .slice(0, count)
          .map((id) => [id, 2]),
      );
    },
  };
  return { source, ids, seen };
}

it("publishes every workspace again, a few at a time", async () => {
  const { source, ids, seen } = aSource();
  const placements = createMemoryPlacements();

  const written = await rebuildSnapshots({ source, placements, which: "all" });

  expect(written).toBe(WORKSPACES);
  expect((await placements.versions(ids)).size).toBe(WORKSPACES);
  expect(seen.atOnce).toBeLessThanOrEqual(4);
  expect(seen.pages).toBeGreaterThan(2);
});

it("writes what is stored in an older version, and leaves what nobody has asked for to who does", async () => {
  const { source, ids } = aSource();
  const placements = createMemoryPlacements();
  const [older = "", current = "", absent = ""] = [ids[0], ids[201], ids[402]];
  await placements.publish(emptySnapshot(older, 1));
  await placements.publish(emptySnapshot(current, 2));

  const written = await rebuildSnapshots({ source, placements, which: "outdated" });

  expect(written).toBe(1);
  expect(await placements.versions([older, current, absent])).toEqual(
    new Map([
      [older, 2],
      [current, 2],
    ]),
  );
});
