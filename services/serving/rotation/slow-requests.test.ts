import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { aSnapshot } from "../tests/builders.ts";
import { openRig } from "../tests/serving-rig.ts";

it("logs a request that waited long for a snapshot, and none that is answered from memory", async () => {
  const lines: string[] = [];
  const snapshot = aSnapshot();
  const logger = pino({ level: "warn" }, { write: (line) => lines.push(line) });
  const rig = await openRig({ snapshots: [snapshot], slowRequestMs: 0, logger });
  onTestFinished(() => rig.close());
  const url = `${rig.url}/workspaces/${snapshot.workspaceId}/ads/serving?limit=1`;

  const waited = await fetch(url);
  const ready = await fetch(url);

  expect([waited.status, ready.status]).toEqual([200, 200]);
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    expect.objectContaining({
      level: 40,
      reqId: waited.headers.get("x-request-id"),
      method: "GET",
      route: "/v1/workspaces/:workspaceId/ads/serving",
      ms: expect.any(Number),
      msg: "slow request",
    }),
  ]);
});
