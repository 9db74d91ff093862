import { afterEach, expect, it } from "vitest";
import { anAd, aSnapshot } from "../tests/builders.ts";
import { openRig, type ServingRig } from "../tests/serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const snapshot = aSnapshot({ ads: Array.from({ length: 1_000 }, () => anAd({ weight: 1 })) });

let rig: ServingRig;
afterEach(() => rig.close());

async function statusOf(query: string, from: string): Promise<number> {
  const address = `${rig.url}/workspaces/${snapshot.workspaceId}/ads/serving?${query}`;
  const response = await fetch(address, { headers: { "x-forwarded-for": from } });
  await response.arrayBuffer();
  return response.status;
}

it("draws a bounded number of orders of many ads for a network that makes up filters, and the usual ones for all", async () => {
  rig = await openRig({ snapshots: [snapshot], now: () => NOON });
  const usual = await statusOf("count=3", "192.0.2.1");

  const made: number[] = [];
  for (let n = 0; n < 230; n += 1) made.push(await statusOf(`weight%5Bgte%5D=0.${n}1`, "192.0.2.1"));

  expect(usual).toBe(200);
  // The orders of the first 16 filters are kept, so they take nothing from a network.
  expect(made.slice(0, 210)).toEqual(Array(210).fill(200));
  expect(made.slice(220)).toEqual(Array(10).fill(429));
  expect(await statusOf("count=4", "192.0.2.1")).toBe(200);
  expect(await statusOf("weight%5Bgte%5D=0.99", "192.0.2.2")).toBe(200);
});
