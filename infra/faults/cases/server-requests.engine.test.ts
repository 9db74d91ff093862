import { rm } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readTotals } from "../../../services/standalone/tests/publisher.ts";
import {
  ACCEPTED,
  aServer,
  COUNTED,
  type ServerRequest,
  send,
  sendUntilAccepted,
} from "../../../services/standalone/tests/server-requests.ts";
import { type Installation, startInstallation } from "../installation.ts";
import { setClock } from "../services.ts";
import { settled } from "../settled.ts";
import { type Step, stepTaken } from "../steps.ts";
import { until } from "../until.ts";

const BEFORE_KAFKA: Step = { name: "it sends it to Kafka", of: "serving", on: "produce", isDone: false };
const BEFORE_ANSWER: Step = { name: "Kafka has it", of: "serving", on: "produce", isDone: true };
const BEFORE_COMMIT: Step = { name: "ClickHouse has it", of: "ingestion", on: "insert", isDone: true };
const LATER_MS = 90 * 60_000;
/** The visits of five minutes, sent as fast as they are answered: servers may report events later. */
const VISITS = 100;
const DAY_MS = 86_400_000;
const VISIT_EVERY_MS = 3_000;
/** Stats may lag behind the store by what they are cached. */
const SHOWN_WITHIN_MS = 60_000;

let installation: Installation;
let server: Awaited<ReturnType<typeof aServer>>;
/** How many requests were made for the ad of the test. */
const made = new Map<string, number>();

beforeAll(async () => {
  installation = await startInstallation();
  server = await aServer(installation.publisher);
  // Both have to know the key.
  const request = aRequest(0, true);
  for (const { origin } of installation.serving) await sendUntilAccepted(origin, request);
}, 300_000);
afterAll(() => installation?.close());

function aRequest(ad: number, isTimed: boolean): ServerRequest {
  const adId = installation.adIds[ad] ?? "";
  made.set(adId, (made.get(adId) ?? 0) + 1);
  return server.aRequest(adId, isTimed);
}

/** One with times of its own, and one without. */
function someRequests(ad: number): ServerRequest[] {
  return [aRequest(ad, true), aRequest(ad, false)];
}

/** All at once to one process, until it accepts them. */
async function sendAll({ origin }: { readonly origin: string }, requests: readonly ServerRequest[]) {
  return await Promise.all(requests.map((request) => sendUntilAccepted(origin, request)));
}

/** One process after the other, then all at once. */
async function repeatEverywhere(requests: readonly ServerRequest[]): Promise<void> {
  const { serving } = installation;
  for (const { origin } of serving)
    for (const request of requests) expect(await sendUntilAccepted(origin, request)).toEqual(ACCEPTED);
  const all = serving.flatMap(({ origin }) => requests.map((request) => sendUntilAccepted(origin, request)));
  expect(await Promise.all(all)).toEqual(all.map(() => ACCEPTED));
}

/** Everything that was made for any ad, once. */
async function expectCountedOnce(): Promise<void> {
  await settled(installation);
  const { publisher, adIds } = installation;
  await until(SHOWN_WITHIN_MS, "showed other totals", async () => {
    for (const adId of adIds) {
      const requests = made.get(adId) ?? 0;
      expect(await readTotals(publisher, adId)).toEqual({
        impressions: requests * COUNTED.impressions,
        clicks: requests * COUNTED.clicks,
      });
    }
    return true;
  });
}

describe("counts a server's request exactly once", { timeout: 300_000 }, () => {
  it.each([BEFORE_KAFKA, BEFORE_ANSWER])(
    "that is repeated to another process, because the first was killed as $name",
    async (step) => {
      const [first, second] = installation.serving;
      const requests = someRequests(0);
      const killed = stepTaken(installation, step, 1, () => first.program.killNow());

      // Some may have an answer: what a busy Kafka does not take in time is acknowledged from the spill.
      await Promise.allSettled(requests.map((request) => send(first.origin, request)));
      await killed;
      const repeated = await sendAll(second, requests);
      await first.program.kill();
      await first.program.start();

      expect(repeated).toEqual(requests.map(() => ACCEPTED));
      await repeatEverywhere(requests);
      await expectCountedOnce();
    },
  );

  it("that both processes get at the same time, of which one is killed before it answers", async () => {
    const [first, second] = installation.serving;
    const requests = someRequests(1);
    const killed = stepTaken(installation, BEFORE_ANSWER, 1, () => first.program.killNow());

    const lost = requests.map((request) => send(first.origin, request));
    const answers = requests.map((request) => sendUntilAccepted(second.origin, request));
    await Promise.allSettled(lost);
    await killed;
    expect(await Promise.all(answers)).toEqual(requests.map(() => ACCEPTED));
    await first.program.kill();
    await first.program.start();

    await repeatEverywhere(requests);
    await expectCountedOnce();
  });

  it("that is repeated while ingestion is killed with it in the store and not committed", async () => {
    const { serving, ingestion } = installation;
    const [first, second] = serving;
    const requests = someRequests(2);
    const killed = stepTaken(installation, BEFORE_COMMIT, 1, () => {
      for (const { program } of ingestion) program.killNow();
    });

    for (const request of requests) await sendUntilAccepted(first.origin, request);
    await killed;
    for (const request of requests) await sendUntilAccepted(second.origin, request);
    await Promise.all(ingestion.map(({ program }) => program.kill()));
    await Promise.all(ingestion.map(({ program }) => program.start()));

    await repeatEverywhere(requests);
    await expectCountedOnce();
  });

  it("that two processes took while Redis was away, and that nobody could judge before everything was killed", async () => {
    const { serving, ingestion, engines } = installation;
    const [first, second] = serving;
    const requests = someRequests(3);
    const [one, other] = requests;
    if (one === undefined || other === undefined) throw new Error("there are two");

    await engines.redis.program.stop();
    const kept = await sendAll(first, requests);
    await first.program.kill();
    // One of them while Redis is away, and the other when it is back.
    const again = await sendUntilAccepted(second.origin, one);
    await Promise.all([second, ...ingestion].map(({ program }) => program.kill()));
    await engines.redis.program.start();
    await second.program.start();
    const later = await sendUntilAccepted(second.origin, other);
    // Killed once more, as ClickHouse has what was judged.
    const killed = stepTaken(installation, BEFORE_COMMIT, 1, () => {
      for (const { program } of ingestion) program.killNow();
    });
    for (const { program } of ingestion) program.launch();
    await killed;
    await Promise.all([first, ...ingestion].map(({ program }) => program.kill()));
    await Promise.all([first, ...ingestion].map(({ program }) => program.start()));

    expect([...kept, again, later]).toEqual(Array(4).fill(ACCEPTED));
    await repeatEverywhere(requests);
    await expectCountedOnce();
  });

  it("that a killed process has spilled without Kafka", async () => {
    const { serving, engines } = installation;
    const [first, second] = serving;
    const requests = someRequests(0);

    await engines.kafka.program.kill();
    const kept = await sendAll(first, requests);
    await first.program.kill();
    await engines.kafka.program.start();
    const later = await sendAll(second, requests);
    await first.program.start();

    expect([...kept, ...later]).toEqual(Array(4).fill(ACCEPTED));
    await repeatEverywhere(requests);
    await expectCountedOnce();
  });

  it("that is repeated to another process an hour and a half later", async () => {
    const {
      management,
      serving: [first, second],
    } = installation;
    // Its figures end with its own day, and near midnight the second's events are of the next. The cases after this read them, too.
    await setClock(management, LATER_MS);
    const requests = someRequests(1);
    await second.program.kill();
    await setClock(second, LATER_MS);
    await second.program.start();
    const killed = stepTaken(installation, BEFORE_ANSWER, 1, () => first.program.killNow());

    await Promise.allSettled(requests.map((request) => send(first.origin, request)));
    await killed;
    const later = await sendAll(second, requests);
    await first.program.kill();
    await first.program.start();

    expect(later).toEqual(requests.map(() => ACCEPTED));
    await repeatEverywhere(requests);
    await rm(second.clockFile);
    await expectCountedOnce();
  });

  it("whose events of an hour another request reports as well, to the other process at the same time", async () => {
    const [first, second] = installation.serving;
    const request = aRequest(2, true);
    const other = { ...request, idempotencyKey: `${request.idempotencyKey}-of-another-server` };

    const answers = [sendUntilAccepted(first.origin, request), sendUntilAccepted(second.origin, other)];

    expect(await Promise.all(answers)).toEqual([ACCEPTED, ACCEPTED]);
    await expectCountedOnce();
    expect(await installation.stored.judgementFaults()).toEqual([]);
  });
});

it("judges the visits of one visitor, every three seconds for five minutes, over changes of ingestion's owners", async () => {
  const { serving, ingestion, stored, publisher, adIds } = installation;
  const [first, second] = ingestion;
  const now = Date.now();
  const lastMidnight = now - (now % DAY_MS);
  const span = VISITS * VISIT_EVERY_MS;
  // Within one UTC day: a visitor of the next day is another one.
  const begunAt = (now - lastMidnight < span ? lastMidnight : now) - span;

  for (let visit = 0; visit < VISITS; visit += 1) {
    if (visit === 25) await first.program.stop();
    if (visit === 50) await first.program.start();
    if (visit === 75) await second.program.kill();
    const event = {
      adId: adIds[0],
      kind: "impression",
      visitorId: "a regular",
      occurredAt: new Date(begunAt + visit * VISIT_EVERY_MS).toISOString(),
    };
    const request = {
      path: `${publisher.path}/events`,
      key: server.key,
      idempotencyKey: `visit-${visit}`,
      body: JSON.stringify({ events: [event] }),
    };
    const { origin } = serving[visit % serving.length] ?? serving[0];
    expect(await sendUntilAccepted(origin, request)).toEqual({ accepted: 1, refused: [] });
  }
  await second.program.start();
  await settled(installation);

  const rows = Map.groupBy(await stored.events(), ({ visitor }) => visitor);
  expect(Math.max(...[...rows.values()].map(({ length }) => length))).toBe(VISITS);
  expect(await stored.judgementFaults()).toEqual([]);
});
