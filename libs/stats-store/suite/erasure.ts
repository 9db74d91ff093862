import { expect, it } from "vitest";
import { ALL_DAYS, NOON, rowsOf, type StatsStoreRig } from "./rig.ts";

/** What is left of a workspace that is erased. */
export function testErasure(rig: StatsStoreRig): void {
  it("erases the events and counts of workspaces, of every month, and nothing of another workspace", async () => {
    const [other, second] = [`${rig.workspaceId}_other`, `${rig.workspaceId}_second`];
    await rig.insert(
      rig.anEvent({ workspaceId: second }),
      rig.anEvent(),
      rig.anEvent({ adId: "ad_2", kind: "click", occurredAt: NOON - 400 * 86_400_000 }),
      rig.anEvent({ workspaceId: other }),
    );

    await rig.store.eraseWorkspaces([rig.workspaceId, "ws_unknown", second]);

    expect(await rig.stored()).toEqual({ events: 0, daily: 0 });
    expect(await rig.store.dailyOfWorkspace(rig.workspaceId, ALL_DAYS)).toEqual([]);
    expect(await rig.store.dailyOfWorkspace(second, ALL_DAYS)).toEqual([]);
    expect(await rig.store.dailyOfWorkspace(other, ALL_DAYS)).toEqual([
      { day: "2026-05-10", impressions: 1, clicks: 0 },
    ]);
  });

  it("erases what arrives after an erasure by the next one, and takes no repetition of a range for new", async () => {
    const early = { token: rig.newToken(), rows: rowsOf([rig.anEvent()]) };
    await rig.store.insertRange(early);
    await rig.store.eraseWorkspaces([rig.workspaceId]);

    await rig.store.insertRange(early);
    const afterRepetition = await rig.stored();
    await rig.insert(rig.anEvent({ kind: "click" }));
    const afterLateEvent = await rig.stored();
    await rig.store.eraseWorkspaces([rig.workspaceId]);

    expect(afterRepetition).toEqual({ events: 0, daily: 0 });
    expect(afterLateEvent).toEqual({ events: 1, daily: 1 });
    expect(await rig.stored()).toEqual({ events: 0, daily: 0 });
  });

  it("has nothing to erase of an unknown workspace, however often it is asked", async () => {
    await rig.store.eraseWorkspaces(["ws_unknown"]);
    await rig.store.eraseWorkspaces(["ws_unknown"]);

    expect(await rig.store.dailyOfWorkspace("ws_unknown", ALL_DAYS)).toEqual([]);
  });
}
