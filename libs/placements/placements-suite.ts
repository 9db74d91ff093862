import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import type { RedisClient } from "#libs/redis/index.ts";
import type { Placements, Snapshot } from "./port.ts";
import { createRedisPlacements } from "./redis.ts";

export interface PlacementsUnderTest {
  readonly placements: Placements;
  /** Another process's view of the same store; the same object where there is only one process. */
  readonly elsewhere: Placements;
  close(): Promise<void>;
}

function aSnapshot(workspaceId: string, version: number): Snapshot {
  const ad = {
    id: newId("ad"),
    name: "Café ☕ “Nord”",
    websiteUrl: "https://example.com",
    clickUrl: null,
    faviconUrl: "",
    tierId: newId("tier"),
    weight: 0.1,
    meta: { tagline: "Roasted this morning", stars: 5, isNew: true },
    servingSince: 1_763_719_200_000,
    servingUntil: null,
  };
  const limits = { impressionsPerMinute: 0, clicksPerMinute: null };
  return {
    workspaceId,
    version,
    ads: [ad],
    tiers: [],
    limits,
    trackingKeys: ["a".repeat(43)],
    requireProof: true,
    recordPages: false,
    countVisitors: false,
    owner: "person_a",
  };
}

/** What every store of snapshots has to do. */
export function testPlacements(name: string, open: () => Promise<PlacementsUnderTest>): void {
  describe(name, () => {
    let under: PlacementsUnderTest;
    let workspaceId: string;
    beforeEach(async () => {
      under = await open();
      workspaceId = newId("workspace");
    });
    afterEach(() => under.close());

    it("gives back what was published, in every process", async () => {
      const snapshot = aSnapshot(workspaceId, 1);

      expect(await under.placements.publish(snapshot)).toBe(true);

      expect(await under.placements.read(workspaceId)).toEqual(snapshot);
      expect(await under.elsewhere.read(workspaceId)).toEqual(snapshot);
    });

    it("tells every process of a site that was seen, until it no longer listens", async () => {
      const sighting = { workspaceId, host: "novak.example", seenAt: 1_763_719_200_000 };
      const heard = vi.fn();
      const stop = under.elsewhere.onSeen(heard);

      // A subscription takes a moment to reach another process's store.
      await vi.waitFor(() => {
        under.placements.noteSeen(sighting);
        expect(heard).toHaveBeenCalledWith(sighting);
      });

      stop();
      heard.mockClear();
      under.placements.noteSeen(sighting);
      expect(heard).not.toHaveBeenCalled();
    });

    it("has nothing for a workspace that was never published", async () => {
      expect(await under.placements.read(workspaceId)).toBeNull();
    });

    it("knows whose the ads are that were published, in every process, and nothing of others", async () => {
      const snapshot = aSnapshot(workspaceId, 1);
      await under.placements.publish(snapshot);

      const ids = snapshot.ads.map(({ id }) => id);
      const asked = [newId("ad"), ...ids, newId("ad")];
      expect(await under.elsewhere.workspacesOfAds(asked)).toEqual(
        new Map(ids.map((id) => [id, workspaceId])),
      );
      expect(await under.placements.workspacesOfAds([newId("ad")])).toEqual(new Map());
    });

    it("knows an ad again that it was reminded of, in every process", async () => {
      const adId = newId("ad");

      await under.placements.rememberAd(adId, workspaceId);

      expect(await under.elsewhere.workspacesOfAds([adId])).toEqual(new Map([[adId, workspaceId]]));
    });

    it("knows the ads of every publication, however many publish at once", async () => {
      const snapshots = Array.from({ length: 20 }, (_, index) => aSnapshot(workspaceId, index + 1));

      await Promise.all(
        snapshots.map((snapshot, index) =>
          (index % 2 === 0 ? under.placements : under.elsewhere).publish(snapshot),
        ),
      );

      const newest = snapshots.at(-1)?.ads[0]?.id ?? "";
      expect((await under.placements.workspacesOfAds([newest])).get(newest)).toBe(workspaceId);
      expect((await under.placements.read(workspaceId))?.version).toBe(20);
    });

    it("lets a newer version replace an older one, and never the other way round", async () => {
      const [older, newer] = [aSnapshot(workspaceId, 9), aSnapshot(workspaceId, 10)];

      expect(await under.placements.publish(newer)).toBe(true);
      expect(await under.elsewhere.publish(older)).toBe(false);

      expect(await under.placements.read(workspaceId)).toEqual(newer);
    });

    it("takes the same version again", async () => {
      await under.placements.publish(aSnapshot(workspaceId, 3));

      expect(await under.placements.publish(aSnapshot(workspaceId, 3))).toBe(true);
    });

    it("ends on the newest version when many publish at once", async () => {
      const versions = Array.from({ length: 50 }, (_, index) => ((index * 37) % 50) + 1);

      await Promise.all(versions.map((version) => under.placements.publish(aSnapshot(workspaceId, version))));

      expect((await under.placements.read(workspaceId))?.version).toBe(50);
    });

    it("tells every subscriber in every process, once a publication", async () => {
      const heard: string[] = [];
      under.placements.subscribe((id, version) => heard.push(`here ${id} ${version}`));
      under.elsewhere.subscribe((id, version) => heard.push(`elsewhere ${id} ${version}`));

      await under.placements.publish(aSnapshot(workspaceId, 7));

      await vi.waitFor(
        () => expect(heard.toSorted()).toEqual([`elsewhere ${workspaceId} 7`, `here ${workspaceId} 7`]),
        20_000,
      );
    });

    it("tells nobody of a version that was refused, nor those who no longer want to hear", async () => {
      const heard: number[] = [];
      const missed: number[] = [];
      under.placements.subscribe((_id, version) => heard.push(version));
      const unsubscribe = under.placements.subscribe((_id, version) => missed.push(version));
      unsubscribe();

      await under.placements.publish(aSnapshot(workspaceId, 2));
      await under.placements.publish(aSnapshot(workspaceId, 1));
      await under.placements.publish(aSnapshot(workspaceId, 3));

      await vi.waitFor(() => expect(heard).toEqual([2, 3]), 20_000);
      expect(missed).toEqual([]);
    });

    it("knows the versions of those it has, and leaves out the others", async () => {
      const other = newId("workspace");
      await under.placements.publish(aSnapshot(workspaceId, 4));
      await under.placements.publish(aSnapshot(other, 5));

      const versions = await under.elsewhere.versions([workspaceId, other, newId("workspace")]);

      expect(versions).toEqual(
        new Map([
          [workspaceId, 4],
          [other, 5],
        ]),
      );
      expect(await under.placements.versions([])).toEqual(new Map());
    });
  });
}

/** The same of the store in Redis, seen from two processes. */
export function testRedisPlacements(name: string, redis: () => RedisClient): void {
  const onWarning = (message: string) => expect.fail(message);
  testPlacements(name, async () => {
    const prefix = randomUUID();
    const placements = await createRedisPlacements({ redis: redis(), prefix, onWarning });
    const elsewhere = await createRedisPlacements({ redis: redis(), prefix, onWarning });
    return {
      placements,
      elsewhere,
      close: async () => {
        await placements.close();
        await elsewhere.close();
      },
    };
  });
}
