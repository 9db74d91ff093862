import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Registry } from "prom-client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readLoggedLine } from "#libs/domain/logged-event.ts";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { createServingMetrics } from "../answers/metrics.ts";
import { NO_COUNTRIES } from "../countries/country-table.ts";
import { aCachedAd } from "../tests/builders.ts";
import { NOTHING_TOLD } from "../verdict/told-place.ts";
import { hashesWith } from "../verdict/visitor.ts";
import {
  type ArrivedEvent,
  createEventRecorder,
  type EventRecorder,
  type RequestBatch,
} from "./record-events.ts";

const NOON = Date.UTC(2026, 10, 21, 12, 0, 30);
const PATIENCE_MS = 5_000;
const LIMITS = {
  impressionsPerMinute: 2,
  clicksPerMinute: 0,
  impressionWindowMs: 10_000,
  clickWindowMs: 2_000,
};

let log: ControlledLog;
let recorder: EventRecorder;
beforeEach(() => {
  log = new ControlledLog();
  recorder = recorderWith({ of: async () => "a salt" });
});

function recorderWith(salts: { of: (day: string) => Promise<string> }): EventRecorder {
  const metrics = createServingMetrics(new Registry());
  return createEventRecorder({
    limits: LIMITS,
    salts,
    log,
    metrics,
    countries: NO_COUNTRIES,
    onWarning: () => undefined,
    now: () => NOON,
  });
}

const linesIn = ({ taken }: ControlledLog) =>
  taken.flatMap(({ rows }) => rows.toString().trimEnd().split("\n")).map(readLoggedLine);

describe("a batch that takes longer than its callers wait", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => void vi.useRealTimers());

  async function giveUp(recording: Promise<unknown>): Promise<void> {
    const refused = expect(recording).rejects.toThrow("took over 5000 ms");
    await vi.advanceTimersByTimeAsync(PATIENCE_MS);
    await refused;
  }

  it("uses up its limit when it is stored after all, and none when it is not", async () => {
    log.fate = "held";
    await giveUp(recorder.record([anImpression(NOON), anImpression(NOON)]));
    log.release("away");
    await vi.advanceTimersByTimeAsync(0);
    await giveUp(recorder.record([anImpression(NOON)]));
    log.release("taken");
    log.fate = "taken";
    await vi.advanceTimersByTimeAsync(0);

    const retried = [
      await recorder.record([anImpression(NOON)]),
      await recorder.record([anImpression(NOON)]),
    ];

    expect(retried).toEqual([["stored"], ["limited"]]);
    expect(linesIn(log)).toHaveLength(2);
  });

  it("is not appended when its salt comes only after that", async () => {
    const salt = Promise.withResolvers<string>();
    await giveUp(recorderWith({ of: () => salt.promise }).record([anImpression(NOON)]));

    salt.resolve("a salt");
    await vi.advanceTimersByTimeAsync(0);

    expect(log.taken).toEqual([]);
  });
});

it("gives back nothing for a request that was stored, where it is sent again and cannot be", async () => {
  const hashes = hashesWith("a salt");
  const event = anImpression(NOON);
  const request: RequestBatch = {
    name: "request",
    idOf: (place) => `evt_${place}`,
    identify: async () =>
      [0, 1].map(() => ({
        visitor: "",
        limitKey: hashes.limitKey(event.address, { adId: event.ad.id, kind: event.kind, occurredAt: NOON }),
        limit: 2,
        windowMs: 0,
        privateKeys: "",
      })),
  };
  const send = () => recorder.recordRequest([event, event], request);
  expect(await send()).toEqual(["stored", "stored"]);
  log.fate = "away";
  await expect(send()).rejects.toThrow();
  log.fate = "taken";

  expect(await recorder.record([event])).toEqual(["limited"]);
  expect(await send()).toEqual(["stored", "stored"]);
});

it("remembers in little memory which events of thousands of requests were refused", async () => {
  setFlagsFromString("--expose-gc");
  const collectGarbage: unknown = runInNewContext("gc");
  const memory = () => {
    if (typeof collectGarbage === "function") collectGarbage();
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    return heapUsed + arrayBuffers;
  };
  const events = Array.from({ length: 1_000 }, () => anImpression(NOON));
  const identities = events.map(() => ({
    visitor: "",
    limitKey: "of all",
    limit: 2,
    windowMs: 0,
    privateKeys: "",
  }));
  const send = (name: string) =>
    recorder.recordRequest(events, {
      name,
      idOf: (place) => `evt_${name}${place}`,
      identify: async () => identities,
    });
  await send("first");
  const before = memory();

  for (let n = 0; n < 1_000; n += 1) await send(`request ${n}`);

  expect(memory() - before).toBeLessThan(8_000_000);
});

it("gives the line all that the event is judged by, and tells nothing else", async () => {
  await recorder.record([anImpression(NOON), { ...anImpression(NOON), isAnonymous: true }]);

  const [named, anonymous] = linesIn(log);
  const key = /^[0-9a-f]{16}$/;
  expect(named).toMatchObject({
    verdict: "valid",
    occurredAt: NOON,
    limit: 2,
    windowMs: 10_000,
    privateKeys: "",
  });
  expect([named?.visitor, named?.limitKey]).toEqual([expect.stringMatching(key), expect.stringMatching(key)]);
  expect(anonymous).toMatchObject({ visitor: "", limitKey: named?.limitKey });
  expect(anonymous?.privateKeys).toMatch(/^[0-9a-f]{32}$/);
  expect(anonymous?.privateKeys).not.toContain(named?.visitor);
});

it.each([
  ["in 1970", 0],
  ["in 2101", Date.UTC(2101)],
])(
  "acknowledges nothing while the clock is %s, which the stats store would refuse, and counts the retry",
  async (_when, wrong) => {
    const early = recorder.record([anImpression(NOON), anImpression(wrong)]);

    await expect(early).rejects.toThrow("The clock is wrong");
    expect(log.taken).toEqual([]);
    expect(await recorder.record([anImpression(NOON + 1_000)])).toEqual(["stored"]);
    expect(linesIn(log).map((line) => line?.verdict)).toEqual(["valid"]);
  },
);

function anImpression(occurredAt: number): ArrivedEvent {
  return {
    ad: aCachedAd(),
    kind: "impression",
    address: "net 192.0.2.7",
    from: { address: "192.0.2.7" },
    userAgent: "a browser",
    isAnonymous: false,
    verdict: "valid",
    occurredAt,
    source: "page",
    told: NOTHING_TOLD,
  };
}
