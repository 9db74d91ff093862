import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
import { type EventLog, EventLogError, openLocalEventLog } from "#libs/event-log/index.ts";
import { createMemoryJudge } from "#libs/judge/index.ts";
import type { Snapshot } from "#libs/placements/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { eventKeyOf } from "../../services/ingestion/event-line.ts";
import { ingestPartition } from "../../services/ingestion/exactly-once.ts";
import { MemoryStore } from "../../services/ingestion/tests/memory-store.ts";
import { anAd, aSnapshot } from "../../services/serving/tests/builders.ts";
import { openRig, type ServingRig } from "../../services/serving/tests/serving-rig.ts";

const EVENTS = 1_000;
const LIMITS = { maxWaitMs: 10, lingerMs: 0, maxBytes: 1e8, maxEvents: 10_000, firstPauseMs: 10 };
const key = newKey("tracking");
const ads = [anAd(), anAd()];
const [ad, newAd] = ads;
const snapshot = aSnapshot({ ads, trackingKeys: [key.hash.toString("base64url")] });

async function aLog(): Promise<EventLog> {
  const log = await openLocalEventLog({ file: join(await aFolder(), "events.db") });
  onTestFinished(() => log.close());
  return log;
}

/** One of several processes on one log, each with a judge and snapshots of its own. */
async function aProcess(log: EventLog, its: Snapshot = snapshot): Promise<ServingRig> {
  const shared: EventLog = {
    append: (batch) => log.append(batch),
    consume: (worker) => log.consume(worker),
    probe: () => log.probe(),
    lag: () => log.lag(),
    backlog: () => log.backlog(),
    close: async () => undefined,
  };
  const rig = await openRig({ snapshots: [its], log: shared, limits: { impressionWindowMs: 10_000 } });
  onTestFinished(() => rig.close());
  return rig;
}

async function send(rig: ServingRig, body: string, idempotencyKey: string) {
  const response = await fetch(`${rig.url}/workspaces/${snapshot.workspaceId}/events`, {
    method: "POST",
    body,
    headers: {
      authorization: `Bearer ${key.key}`,
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    },
  });
  return { status: response.status, answer: JSON.parse(await response.text()) };
}

/** What the stats store has once everything is ingested. */
async function ingested(log: EventLog): Promise<MemoryStore> {
  const store = new MemoryStore();
  const consumer = await log.consume((partition) =>
    ingestPartition(partition, store, createMemoryJudge(), LIMITS, {
      onStep: () => undefined,
      onIngested: () => undefined,
      onRepeated: () => undefined,
      onTrouble: () => undefined,
      onBlocked: () => undefined,
      onRecovery: () => undefined,
      onRangeGone: () => undefined,
    }),
  );
  await expect.poll(() => log.lag(), { timeout: 30_000 }).toBe(0);
  await consumer.close();
  return store;
}

function bodyOf(adIds: readonly (string | undefined)[], time: number | null): string {
  return JSON.stringify({
    events: adIds.map((adId, n) => ({
      adId,
      kind: "impression",
      visitorId: `visitor ${n}`,
      // In no order.
      ...(time === null ? {} : { occurredAt: new Date(time - ((n * 7_919) % 86_000) * 1_000).toISOString() }),
    })),
  });
}

it.each([
  ["with times of their own, in no order", () => Date.now()],
  ["with the time of each attempt", () => null],
])(
  "counts a request once that died between append and answer and is then sent to two other processes: events %s",
  async (_, time) => {
    const log = await aLog();
    let isDying = true;
    const dying: EventLog = {
      ...log,
      append: async (batch) => {
        await log.append(batch);
        if (isDying) throw new EventLogError("UNCLEAR", "killed before the answer");
      },
    };
    const [first, second, third] = [await aProcess(dying), await aProcess(log), await aProcess(log)];
    const body = bodyOf(
      Array.from({ length: EVENTS }, () => ad?.id),
      time(),
    );

    const unanswered = await send(first, body, "newsletter-17");
    isDying = false;
    const answers = [
      ...(await Promise.all([send(second, body, "newsletter-17"), send(third, body, "newsletter-17")])),
      await send(first, body, "newsletter-17"),
      await send(second, body, "newsletter-17"),
    ];
    const store = await ingested(log);

    expect(unanswered.status).toBe(503);
    for (const { answer } of answers) expect(answer).toEqual({ accepted: EVENTS, refused: [] });
    expect(store.lines).toHaveLength(EVENTS);
    expect(store.dailyLines).toHaveLength(EVENTS);
    expect(new Set(store.lines.map((line) => eventKeyOf(Buffer.from(line))?.id)).size).toBe(EVENTS);
  },
);

it("counts what an attempt refused once a later one accepts it, and nothing twice", async () => {
  const log = await aLog();
  const early = await aProcess(log, { ...snapshot, ads: ads.slice(0, 1) });
  const late = await aProcess(log);
  const body = bodyOf([newAd?.id, ad?.id, newAd?.id, ad?.id, newAd?.id], Date.now());

  const first = await send(early, body, "a");
  const second = await send(late, body, "a");
  const third = await send(early, body, "a");
  const store = await ingested(log);

  expect(first.answer.refused).toEqual([0, 2, 4].map((index) => ({ index, code: "unknown_ad" })));
  expect([second.answer.accepted, third.answer.accepted]).toEqual([5, 2]);
  expect(store.lines).toHaveLength(5);
  expect(store.dailyLines).toHaveLength(5);
});
