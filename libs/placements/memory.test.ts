import { expect, it } from "vitest";
import { createMemoryPlacements } from "./memory.ts";
import { testPlacements } from "./placements-suite.ts";
import { NO_OWN_LIMITS } from "./port.ts";

testPlacements("placements in memory", async () => {
  const placements = createMemoryPlacements();
  return { placements, elsewhere: placements, close: () => placements.close() };
});

it("makes room by letting go of the snapshot that nobody read for longest", async () => {
  const placements = createMemoryPlacements({ maxWorkspaces: 2 });
  const publish = (workspaceId: string) =>
    placements.publish({
      workspaceId,
      version: 1,
      ads: [],
      tiers: [],
      limits: NO_OWN_LIMITS,
      trackingKeys: [],
      requireProof: false,
    });
  await publish("ws_a");
  await publish("ws_b");
  await placements.read("ws_a");

  await publish("ws_c");

  expect(await placements.versions(["ws_a", "ws_b", "ws_c"])).toEqual(
    new Map([
      ["ws_a", 1],
      ["ws_c", 1],
    ]),
  );
  await placements.close();
});
