import { hash } from "node:crypto";
import { expect, it } from "vitest";
import { trackingLimits } from "#libs/domain/tracking-limits.ts";
import { NO_NETWORKS } from "../networks/network-table.ts";
import { aCachedAd } from "../tests/builders.ts";
import { createUserAgents } from "../verdict/user-agents.ts";
import { createVisitors } from "../verdict/visitor.ts";
import { type AcceptedEvent, acceptEvent, batchOf } from "./server-request.ts";

const MIDNIGHT = Date.UTC(2026, 10, 22);
const HOUR = 3_600_000;
const AD = aCachedAd("ad_01kahm4sw4fksra52s8bd8xkd1");
const ABOUT = { index: 0, workspaceId: "ws_1", blocked: NO_NETWORKS, userAgents: createUserAgents() };

/** A click by a visitor of the address, as it is accepted at `now`. */
function aClick(now: number, ip: string, occurredAt?: number): AcceptedEvent {
  const time = occurredAt === undefined ? {} : { occurredAt: new Date(occurredAt).toISOString() };
  const reported = { adId: AD.id, kind: "click" as const, ip, ...time };
  const event = acceptEvent(reported, { ...ABOUT, ad: AD, now });
  if (typeof event === "string") throw new Error(event);
  return event;
}

it("hashes an event of yesterday with yesterday's salt for an hour, then with that of the day on which it comes", async () => {
  const visitorsOf = createVisitors({ of: async (day) => hash("md5", day) });
  /** The visitor of an event that is reported at `now`, and occurred then or at a time of its own. */
  const visitorAt = async (now: number, occurredAt?: number) => {
    const limits = trackingLimits({ impressionsPerMinute: 0, clicksPerMinute: 5 });
    const { identify } = batchOf([aClick(now, "192.0.2.7", occurredAt)], null, now);
    const [identity] = await identify(visitorsOf, limits);
    return identity?.visitor;
  };
  const evening = MIDNIGHT - 1_000;

  expect(await visitorAt(evening)).toBe(await visitorAt(evening - HOUR));
  expect(await visitorAt(MIDNIGHT + 1_000)).not.toBe(await visitorAt(evening));
  expect(await visitorAt(MIDNIGHT + 1_000, evening)).toBe(await visitorAt(evening, evening));
  expect(await visitorAt(MIDNIGHT + HOUR, evening)).not.toBe(await visitorAt(evening, evening));
});

it.each([
  ["an address", { ip: "192.0.2.7", userAgent: "a browser" }],
  ["a name", { visitorId: "user 7" }],
])(
  "where visitors are not counted, gives one known by %s keys for one ad and window only",
  async (_what, told) => {
    const visitorsOf = createVisitors({ of: async (day) => hash("md5", day) });
    const limits = trackingLimits({ impressionsPerMinute: 0, clicksPerMinute: 5 });
    const identityOf = async (
      countVisitors: boolean,
      visitor: object,
      adId = AD.id,
      occurredAt = MIDNIGHT,
    ) => {
      const ad = { ...aCachedAd(adId), rules: { ...AD.rules, countVisitors } };
      const reported = {
        adId,
        kind: "click" as const,
        ...visitor,
        occurredAt: new Date(occurredAt).toISOString(),
      };
      const event = acceptEvent(reported, { ...ABOUT, ad, now: MIDNIGHT });
      if (typeof event === "string") throw new Error(event);
      const [identity] = await batchOf([event], null, MIDNIGHT).identify(visitorsOf, limits);
      return [identity?.visitor, identity?.privateKeys];
    };

    const [, keys] = await identityOf(false, told);

    expect(await identityOf(true, told)).toEqual([expect.stringMatching(/^[0-9a-f]{16}$/), ""]);
    expect(await identityOf(false, told)).toEqual(["", expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect((await identityOf(false, told, AD.id, MIDNIGHT + 1_000))[1]).toBe(keys);
    expect((await identityOf(false, told, "ad_2"))[1]).not.toBe(keys);
    expect((await identityOf(false, told, AD.id, MIDNIGHT + 20_000))[1]).not.toBe(keys);
    expect(await identityOf(false, {})).toEqual(["", ""]);
  },
);
