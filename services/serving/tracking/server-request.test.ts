import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { createMemoryLimits } from "#libs/limits/index.ts";
import { NO_OWN_LIMITS } from "#libs/placements/index.ts";
import { NO_NETWORKS } from "../networks/network-table.ts";
import { type AcceptedEvent, acceptEvent, batchOf, nameRequest } from "./server-request.ts";
import { createVisitors } from "./visitor.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MIDNIGHT = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;
const AD = {
  id: "ad_01kahm4sw4fksra52s8bd8xkd1",
  workspaceId: "ws_1",
  servedUntil: Number.POSITIVE_INFINITY,
  limits: NO_OWN_LIMITS,
  requireProof: false,
};

/** A click by a visitor of the address, as it is accepted at `now`. */
function aClick(index: number, now: number, ip: string, occurredAt?: number): AcceptedEvent {
  const time = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt).toISOString() };
  const reported = { adId: AD.id, kind: "click" as const, ip, ...time };
  const event = acceptEvent(reported, { index, ad: AD, workspaceId: "ws_1", blocked: NO_NETWORKS, now });
  if (typeof event === "string") throw new Error(event);
  return event;
}

it("gives two attempts one name for the judge only while they are hashed with the same salts", async () => {
  const visitorsOf = createVisitors({ of: async (day) => hash("md5", day) });
  /** What the judge calls an attempt at `now` to report an event, which occurred then or at a time of its own. */
  const nameAt = async (now: number, occurredAt?: number) => {
    const events = [aClick(0, now, "192.0.2.7", occurredAt)];
    const name = nameRequest("ws_1", "key", [events[0]?.reported ?? "invalid_event"]);
    const { identify, judgedAs } = batchOf(events, name, now);
    return judgedAs?.(await identify(visitorsOf));
  };
  const evening = MIDNIGHT - 1_000;

  expect(await nameAt(evening)).toBe(await nameAt(evening - HOUR));
  expect(await nameAt(MIDNIGHT + 1_000)).not.toBe(await nameAt(evening));
  expect(await nameAt(MIDNIGHT + 1_000, evening)).toBe(await nameAt(evening, evening));
  expect(await nameAt(MIDNIGHT + HOUR, evening)).not.toBe(await nameAt(evening, evening));
});

it("lets events of some seconds ago push no marks of now out of a judge in memory", async () => {
  const windows = { impressionWindowMs: 10_000, clickWindowMs: 2_000 };
  const limits = createMemoryLimits({ limits: { impressionsPerMinute: 0, clicksPerMinute: 0, ...windows } });
  const visitorsOf = createVisitors({ of: async () => "a".repeat(32) });
  const judge = async (events: readonly AcceptedEvent[], now: number) => {
    const { identify, judged } = batchOf(events, null, now);
    const batch = await limits.judge(await identify(visitorsOf), { ...judged, id: `evt_${now}` });
    batch.confirm();
    return batch.judgements;
  };
  await judge([aClick(0, NOON, "192.0.2.7")], NOON);

  const late = [8_000, 4_000].map((ago, index) => aClick(index, NOON + 500, "192.0.2.8", NOON - ago));
  await judge(late, NOON + 500);

  expect(await judge([aClick(0, NOON + 1_000, "192.0.2.7")], NOON + 1_000)).toEqual(["duplicate"]);
  await limits.close();
});
