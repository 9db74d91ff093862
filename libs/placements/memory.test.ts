import { expect, it } from "vitest";
import { createMemoryPlacements } from "./memory.ts";
import { testPlacements } from "./placements-suite.ts";
import { emptySnapshot } from "./port.ts";

testPlacements("placements in memory", async () => {
  const placements = createMemoryPlacements();
  return { placements, elsewhere: placements, close: () => placements.close() };
});

it("makes room by letting go of the snapshot that nobody read for longest, and still knows its version", async () => {
  const text = "x".repeat(10_000);
  const tier = {
    id: "tier_a",
    name: "Gold",
    description: text,
    weight: 1,
    order: 0,
    features: [],
    prices: [],
  };
  const placements = createMemoryPlacements({ maxLength: 30_000 });
  const publish = (workspaceId: string, version: number) =>
    placements.publish({ ...emptySnapshot(workspaceId, version), tiers: [tier] });
  await publish("ws_a", 1);
  await publish("ws_b", 2);
  await placements.read("ws_a");

  await publish("ws_c", 3);

  const read = await Promise.all(["ws_a", "ws_b", "ws_c"].map((id) => placements.read(id)));
  expect(read.map((snapshot) => snapshot?.workspaceId)).toEqual(["ws_a", undefined, "ws_c"]);
  expect((await placements.versions(["ws_b"])).get("ws_b")).toBe(2);
  expect(await publish("ws_b", 1)).toBe(false);
  await placements.close();
});
