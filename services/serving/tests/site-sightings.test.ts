import { expect, it, onTestFinished } from "vitest";
import type { Sighting } from "#libs/placements/index.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { openRig } from "./serving-rig.ts";

const MINUTE = 60_000;

async function aRig() {
  let now = Date.UTC(2026, 10, 23, 12);
  const snapshot = aSnapshot({ ads: [anAd({})] });
  const rig = await openRig({ snapshots: [snapshot], now: () => now });
  onTestFinished(() => rig.close());
  const seen: Sighting[] = [];
  rig.placements.onSeen((sighting) => seen.push(sighting));
  const { workspaceId } = snapshot;
  return {
    seen,
    workspaceId,
    now: () => now,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    ask: async (headers: Record<string, string>, id = workspaceId) => {
      const { status } = await fetch(`${rig.url}/workspaces/${id}/ads/serving`, { headers });
      return status;
    },
  };
}

it("notes the site that asks for a workspace's ads once, and again after ten minutes", async () => {
  const { ask, seen, workspaceId, now, pass } = await aRig();
  const first = now();

  // The first answer is made, the others come from the cache.
  for (let n = 0; n < 3; n += 1) await ask({ origin: "https://novak.example" });
  expect(seen).toEqual([{ workspaceId, host: "novak.example", seenAt: first }]);

  pass(11 * MINUTE);
  await ask({ referer: "https://www.novak.example/blog?post=1" });
  expect(seen).toHaveLength(2);
  expect(seen[1]).toEqual({ workspaceId, host: "www.novak.example", seenAt: now() });
});

it("notes a site also where a request without one came first", async () => {
  const { ask, seen } = await aRig();

  await ask({});
  await ask({ origin: "http://127.0.0.1" });
  await ask({ origin: "https://novak.example:8443" });

  expect(seen.map(({ host }) => host)).toEqual(["novak.example:8443"]);
});

it("notes no site that asks for a workspace that does not exist", async () => {
  const { ask, seen } = await aRig();

  expect(await ask({ origin: "https://novak.example" }, "ws_nothing")).toBe(404);

  expect(seen).toEqual([]);
});
