import { expect, it, vi } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);

function aPublisher() {
  const { key, hash } = newKey("tracking");
  const ad = anAd();
  return { key, ad, snapshot: aSnapshot({ ads: [ad], trackingKeys: [hash.toString("base64url")] }) };
}
type Publisher = ReturnType<typeof aPublisher>;

const ours = aPublisher();
const theirs = aPublisher();

function eventsOf({ ad }: Publisher, count: number) {
  return Array.from({ length: count }, (_, n) => ({
    adId: ad.id,
    kind: "impression",
    visitorId: `visitor ${n}`,
    occurredAt: new Date(NOON).toISOString(),
  }));
}

async function report(rig: ServingRig, by: Publisher, events: readonly unknown[], idempotencyKey?: string) {
  const response = await rig.app.inject({
    method: "POST",
    url: `/v1/workspaces/${by.snapshot.workspaceId}/events`,
    headers: {
      authorization: `Bearer ${by.key}`,
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
    },
    payload: { events },
  });
  const { headers } = response;
  const rate = ["limit", "remaining", "reset"].map((name) => headers[`ratelimit-${name}`]);
  return { status: response.statusCode, retryAfter: headers["retry-after"], rate, body: response.json() };
}

async function withBudget<T>(options: RigOptions, use: (rig: ServingRig) => Promise<T>): Promise<T> {
  const rig = await openRig({
    snapshots: [ours.snapshot, theirs.snapshot],
    now: () => NOON,
    serverEventsPerMinute: 1_000,
    ...options,
  });
  try {
    return await use(rig);
  } finally {
    await rig.close();
  }
}

it("counts events and not requests, and has what is left on each answer to a valid key", async () => {
  await withBudget({}, async (rig) => {
    const first = await report(rig, ours, eventsOf(ours, 400));
    const refusedOnes = await report(rig, ours, [{}, { adId: newId("ad"), kind: "click" }]);
    const noList = await report(rig, ours, []);

    expect([first.status, first.rate]).toEqual([200, ["1000", "600", "60"]]);
    expect([refusedOnes.status, refusedOnes.rate]).toEqual([200, ["1000", "598", "60"]]);
    expect([noList.status, noList.rate]).toEqual([422, ["1000", "598", "60"]]);
  });
});

it("answers 429 to a request with more events than are left, and neither records nor counts it", async () => {
  await withBudget({}, async (rig) => {
    await report(rig, ours, eventsOf(ours, 700));
    const over = await report(rig, ours, eventsOf(ours, 301));
    const rest = await report(rig, ours, eventsOf(ours, 300));

    expect(over).toMatchObject({ status: 429, retryAfter: "60", rate: ["1000", "300", "60"] });
    expect(over.body).toMatchObject({
      defined: true,
      code: "TOO_MANY_REQUESTS",
      status: 429,
      message:
        "The workspace may report 1000 events per minute, and 300 are left. Nothing of this request was recorded: send it again after Retry-After.",
    });
    expect([rest.status, rest.rate]).toEqual([200, ["1000", "0", "60"]]);
    expect(await rig.storedEvents()).toHaveLength(1_000);
  });
});

it("takes a refused request in the next minute, and counts it once however often it is sent then", async () => {
  let now = NOON;
  await withBudget({ now: () => now }, async (rig) => {
    await report(rig, ours, eventsOf(ours, 900));
    const refused = await report(rig, ours, eventsOf(ours, 200), "batch-17");
    now += Number(refused.retryAfter) * 1_000;
    const again = await report(rig, ours, eventsOf(ours, 200), "batch-17");
    const onceMore = await report(rig, ours, eventsOf(ours, 200), "batch-17");

    expect([refused.status, again.status, onceMore.status]).toEqual([429, 200, 200]);
    expect(again.body).toEqual({ accepted: 200, refused: [] });
    const ids = (await rig.storedEvents()).map(({ event_id }) => event_id);
    // Ingestion steps over what it has by its id.
    expect(new Set(ids).size).toBe(900 + 200);
  });
});

it("keeps the budget of one workspace apart from that of another", async () => {
  await withBudget({}, async (rig) => {
    await report(rig, ours, eventsOf(ours, 1_000));
    const over = await report(rig, ours, eventsOf(ours, 1));
    const others = await report(rig, theirs, eventsOf(theirs, 1_000));

    expect(over.status).toBe(429);
    expect([others.status, others.body]).toEqual([200, { accepted: 1_000, refused: [] }]);
  });
});

it("has neither a limit nor its headers where the operator has turned it off", async () => {
  await withBudget({ serverEventsPerMinute: 0 }, async (rig) => {
    await report(rig, ours, eventsOf(ours, 1_000));
    const more = await report(rig, ours, eventsOf(ours, 1_000));

    expect([more.status, more.rate]).toEqual([200, [undefined, undefined, undefined]]);
  });
});

it("does not count what comes with a key that is not valid", async () => {
  await withBudget({}, async (rig) => {
    const stranger = await report(rig, { ...ours, key: theirs.key }, eventsOf(ours, 1_000));
    const owner = await report(rig, ours, eventsOf(ours, 1_000));

    expect([stranger.status, stranger.rate]).toEqual([401, [undefined, undefined, undefined]]);
    expect(owner.status).toBe(200);
  });
});

it("works on 32 requests of a workspace at a time, and answers 429 to more", async () => {
  await withBudget({}, async (rig) => {
    const disk = Promise.withResolvers<void>();
    const append = rig.log.append.bind(rig.log);
    const writing = vi.spyOn(rig.log, "append").mockImplementation(async (batch) => {
      await disk.promise;
      await append(batch);
    });
    const atWork = Array.from({ length: 32 }, () => report(rig, ours, eventsOf(ours, 1)));
    await vi.waitFor(() => expect(writing).toHaveBeenCalledTimes(32));

    const oneMore = await report(rig, ours, eventsOf(ours, 1));
    const others = report(rig, theirs, eventsOf(theirs, 1));
    disk.resolve();

    expect([oneMore.status, oneMore.retryAfter]).toEqual([429, "1"]);
    expect((await others).status).toBe(200);
    expect(new Set((await Promise.all(atWork)).map(({ status }) => status))).toEqual(new Set([200]));
    expect((await report(rig, ours, eventsOf(ours, 1))).status).toBe(200);
  });
});

it("has room for another workspace while two have as many requests at work as they may", async () => {
  const third = aPublisher();
  const snapshots = [ours.snapshot, theirs.snapshot, third.snapshot];
  await withBudget({ snapshots }, async (rig) => {
    const disk = Promise.withResolvers<void>();
    const append = rig.log.append.bind(rig.log);
    const writing = vi.spyOn(rig.log, "append").mockImplementation(async (batch) => {
      await disk.promise;
      await append(batch);
    });
    const answered: number[] = [];
    const atWork = [ours, theirs].flatMap((by) =>
      Array.from({ length: 40 }, async () => {
        const { status } = await report(rig, by, eventsOf(by, 1));
        answered.push(status);
      }),
    );
    await vi.waitFor(() => expect(writing.mock.calls.length + answered.length).toBe(80));
    const refused = new Set(answered);
    const before = writing.mock.calls.length;

    const another = report(rig, third, eventsOf(third, 1));
    await Promise.race([another, vi.waitFor(() => expect(writing).toHaveBeenCalledTimes(before + 1))]);
    disk.resolve();

    expect((await another).status).toBe(200);
    expect(refused).toEqual(new Set([429]));
    await Promise.all(atWork);
  });
});
