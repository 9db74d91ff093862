import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type EventsAnswer, eventsAnswer } from "#libs/contract/server-events.ts";
import { newKey } from "#libs/domain/api-key.ts";
import { newId } from "#libs/domain/ids.ts";
import type { SnapshotAd } from "#libs/placements/index.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const HOUR = 3_600_000;
const tracking = newKey("tracking");
const revoked = newKey("tracking");
const ours = { key: tracking.key, hash: tracking.hash.toString("base64url") };
const ad = anAd();
const snapshot = aSnapshot({ ads: [ad], trackingKeys: [ours.hash] });
const otherAd = anAd();
const otherKey = newKey("tracking");
const other = aSnapshot({ ads: [otherAd], trackingKeys: [otherKey.hash.toString("base64url")] });
const { workspaceId } = snapshot;

interface Sent {
  readonly key?: string | null;
  readonly workspaceId?: string;
  readonly idempotencyKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function post(rig: ServingRig, body: string | Buffer, sent: Sent = {}) {
  const { key = ours.key, headers = {}, idempotencyKey } = sent;
  const response = await fetch(`${rig.url}/workspaces/${sent.workspaceId ?? workspaceId}/events`, {
    method: "POST",
    body: typeof body === "string" ? body : new Uint8Array(body),
    headers: {
      "content-type": "application/json",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
      ...headers,
    },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function report(rig: ServingRig, events: readonly unknown[], sent: Sent = {}): Promise<EventsAnswer> {
  const { status, text } = await post(rig, JSON.stringify({ events }), sent);
  if (status !== 200) throw new Error(`answered ${status}: ${text}`);
  return eventsAnswer.strict().parse(JSON.parse(text));
}

function anEvent(more: Readonly<Record<string, unknown>> = {}) {
  return { adId: ad.id, kind: "impression", ip: "203.0.113.7", userAgent: FIREFOX, ...more };
}

function at(time: number): { readonly occurredAt: string } {
  return { occurredAt: new Date(time).toISOString() };
}

/** For one test: its own log, and a clock at noon. */
async function aRig(options: RigOptions = {}): Promise<ServingRig> {
  const rig = await openRig({ snapshots: [snapshot, other], now: () => NOON, ...options });
  onTestFinished(() => rig.close());
  return rig;
}

const shared = await openRig({ snapshots: [snapshot, other], now: () => NOON });
afterAll(() => shared.close());

it("stores what it accepts: 990 of 1,000 events, and says of the 10 others what is wrong with each", async () => {
  const rig = await aRig();
  const bad = new Map<number, [unknown, string]>([
    [0, [null, "invalid_event"]],
    [3, [anEvent({ adId: 5 }), "invalid_ad_id"]],
    [100, [anEvent({ kind: "view" }), "invalid_kind"]],
    [200, [anEvent({ ip: "999.1.1.1" }), "invalid_ip"]],
    [300, [anEvent({ userAgent: 7 }), "invalid_user_agent"]],
    [400, [anEvent({ visitorId: "" }), "invalid_visitor_id"]],
    [500, [anEvent({ occurredAt: "yesterday" }), "invalid_occurred_at"]],
    [600, [anEvent({ adId: newId("ad") }), "unknown_ad"]],
    [700, [anEvent({ adId: otherAd.id }), "unknown_ad"]],
    [999, [anEvent(at(NOON - 25 * HOUR)), "too_old"]],
  ]);
  const events = Array.from({ length: 1_000 }, (_, n) =>
    bad.has(n) ? bad.get(n)?.[0] : anEvent({ visitorId: `visitor ${n}` }),
  );

  const answer = await report(rig, events);

  const stored = await rig.storedEvents();
  expect(answer.accepted).toBe(990);
  expect(answer.refused).toEqual([...bad].map(([index, [, code]]) => ({ index, code })));
  expect(stored).toHaveLength(990);
  expect(new Set(stored.map(({ event_id }) => event_id)).size).toBe(990);
  expect(new Set(stored.map(({ verdict }) => verdict))).toEqual(new Set(["valid"]));
});

it("takes null in an event as if the key were left out", async () => {
  const rig = await aRig();
  const unknown = { ip: null, userAgent: null, occurredAt: null };
  const answer = await report(rig, [anEvent({ ...unknown, visitorId: "reader" }), anEvent({ adId: null })]);

  expect(answer).toEqual({ accepted: 1, refused: [{ index: 1, code: "invalid_ad_id" }] });
  expect((await rig.storedEvents()).map(({ verdict }) => verdict)).toEqual(["valid"]);
});

it("keeps neither address, user agent nor the visitor's id, nor the Idempotency-Key", async () => {
  const rig = await aRig();
  const secret = { ip: "198.51.100.23", userAgent: "Browser of Ada", visitorId: "ada@example.com" };

  await report(rig, [anEvent(secret), anEvent({ ...secret, visitorId: undefined })], {
    idempotencyKey: "for-ada@example.com",
  });

  const text = JSON.stringify(await rig.storedEvents());
  for (const word of ["198.51", "Ada", "ada@"]) expect(text).not.toContain(word);
});

describe("takes events", () => {
  const events = Array.from({ length: 20 }, (_, n) => anEvent({ visitorId: `visitor ${n}` }));
  const lines = events.map((event) => JSON.stringify(event)).join("\r\n\n");
  const json = JSON.stringify({ more: "is ignored", events });
  const ndjson = { "content-type": "application/x-ndjson; charset=utf-8" };

  it.each([
    ["as JSON", json, {}],
    ["as NDJSON, with blank lines", `\n${lines}\n`, ndjson],
    ["as NDJSON under its other name", lines, { "content-type": "application/ndjson" }],
    ["as JSON Lines", lines, { "content-type": "application/jsonl" }],
    ["as JSON behind a byte order mark", `\uFEFF${json}`, {}],
    ["as NDJSON behind a byte order mark", `\uFEFF${lines}`, ndjson],
    ["as JSON in gzip", gzipSync(json), { "content-encoding": "gzip" }],
    ["as NDJSON in gzip", gzipSync(lines), { ...ndjson, "content-encoding": "GZIP" }],
  ])("%s", async (_, body, headers) => {
    const { status, text } = await post(shared, body, { headers });

    expect([status, JSON.parse(text)]).toEqual([200, { accepted: 20, refused: [] }]);
  });

  it("up to a megabyte, before and after gzip", async () => {
    const filled = (bytes: number) => `${" ".repeat(bytes - json.length)}${json}`;
    const gzip = { headers: { "content-encoding": "gzip" } };

    const largest = await post(shared, filled(1_048_576));
    const over = await post(shared, filled(1_048_577));
    const largestZipped = await post(shared, gzipSync(filled(1_048_576)), gzip);
    const overZipped = await post(shared, gzipSync(filled(1_048_577)), gzip);
    const bomb = await post(shared, gzipSync(Buffer.alloc(512 * 1024 * 1024)), gzip);

    expect([largest.status, largestZipped.status]).toEqual([200, 200]);
    expect([over.status, overZipped.status, bomb.status]).toEqual([413, 413, 413]);
  });
});

const NO_JSON = "The body is not valid JSON. With one event a line its Content-Type is application/x-ndjson.";

it.each([
  ["no JSON", "{", {}, 422, [NO_JSON], {}],
  ["lines as JSON", "{}\n{}", {}, 422, [NO_JSON], {}],
  ["nothing", "", {}, 422, ["The body is empty."], {}],
  ["a list alone", "[{}]", {}, 422, ['Must be an object with a list of events: {"events": […]}.'], {}],
  [
    "JSON as lines",
    '{"events": [{}, {}]}',
    { "content-type": "application/x-ndjson" },
    422,
    [
      'With the Content-Type application/x-ndjson each line is one event. For {"events": […]} it is application/json.',
    ],
    {},
  ],
  [
    "gzip that does not say so",
    gzipSync('{"events": [{}]}'),
    {},
    422,
    ["The body is gzip and has no Content-Encoding: gzip."],
    {},
  ],
  ["nothing in gzip", gzipSync(""), { "content-encoding": "gzip" }, 422, [NO_JSON], {}],
  ["no list", '{"events": {}}', {}, 422, [], { events: ["Must be a list of 1 to 1000 events."] }],
  ["no events", '{"events": []}', {}, 422, [], { events: ["Must be a list of 1 to 1000 events."] }],
  [
    "1,001 events",
    JSON.stringify({ events: Array.from({ length: 1_001 }, () => 1) }),
    {},
    422,
    [],
    { events: ["Must be a list of 1 to 1000 events."] },
  ],
  [
    "1,001 lines",
    "1\n".repeat(1_001),
    { "content-type": "application/x-ndjson" },
    422,
    [],
    { events: ["Must be a list of 1 to 1000 events."] },
  ],
  [
    "a line of no JSON",
    "{}\n\n{",
    { "content-type": "application/x-ndjson" },
    422,
    ["Line 3 is not valid JSON, so nothing of the request was recorded."],
    {},
  ],
  ["no gzip", "{}", { "content-encoding": "gzip" }, 422, ["The body is not valid gzip."], {}],
  ["brotli", "{}", { "content-encoding": "br" }, 415, undefined, undefined],
  ["a form", "a=1", { "content-type": "application/x-www-form-urlencoded" }, 415, undefined, undefined],
] as const)(
  "refuses %s as a whole, in the envelope",
  async (_, body, headers, status, formErrors, fieldErrors) => {
    const answer = await post(shared, body, { headers });

    const { data, ...envelope } = JSON.parse(answer.text);
    expect([answer.status, envelope.status]).toEqual([status, status]);
    if (formErrors !== undefined) expect(data).toMatchObject({ formErrors, fieldErrors });
  },
);

it.each(["", "two words", "ü", "x".repeat(256)])("refuses the Idempotency-Key %j", async (idempotencyKey) => {
  const response = await shared.app.inject({
    method: "POST",
    url: `/v1/workspaces/${workspaceId}/events`,
    headers: { authorization: `Bearer ${ours.key}`, "idempotency-key": idempotencyKey },
    payload: { events: [anEvent()] },
  });

  expect([response.statusCode, response.json().data.reason]).toEqual([422, "IDEMPOTENCY_KEY_MALFORMED"]);
});

it.each([
  ["no key", null],
  ["a malformed key", "plt_nothing"],
  ["a key of nobody", newKey("tracking").key],
  ["an API key", newKey("api").key],
  ["a revoked key", revoked.key],
  ["a key of another workspace", otherKey.key],
])("answers 401 to %s, before it reads the body", async (_, key) => {
  const answer = await post(shared, "no JSON", { key });

  const challenge = key === null ? "Bearer" : 'Bearer error="invalid_token"';
  expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, challenge]);
});

it("stops a key as soon as a snapshot without it is published, and starts a new one", async () => {
  const rig = await aRig();
  await report(rig, [anEvent()]);

  await rig.placements.publish({
    ...snapshot,
    version: 2,
    trackingKeys: [revoked.hash.toString("base64url")],
  });

  await expect.poll(async () => (await post(rig, "{}")).status).toBe(401);
  await report(rig, [anEvent()], { key: revoked.key });
});

it("answers 404 for an unknown workspace, and 503 while it cannot be read", async () => {
  const rig = await aRig();
  const unknown = await post(rig, "{}", { workspaceId: newId("workspace") });
  rig.source.isAway = true;
  const unread = await post(rig, "{}", { workspaceId: newId("workspace") });

  expect([unknown.status, unread.status, unread.headers.get("retry-after")]).toEqual([404, 503, "1"]);
});

it("answers 503 while nothing can be stored, and counts the events when they are sent again", async () => {
  const rig = await aRig();
  await rig.log.close();

  const { status, headers } = await post(rig, JSON.stringify({ events: [anEvent()] }));

  expect([status, headers.get("retry-after")]).toEqual([503, "1"]);
});

it("says how a key is sent where it finds none", async () => {
  const answer = await post(shared, "{}", { key: null, headers: { authorization: ours.key } });

  expect(JSON.parse(answer.text)).toMatchObject({
    code: "UNAUTHORIZED",
    message: "A valid tracking key of this workspace is required: Authorization: Bearer plt_…",
  });
});

it("lets no page of another site read its answers", async () => {
  const headers = { origin: "https://publisher.example" };
  const answer = await post(shared, JSON.stringify({ events: [anEvent()] }), { headers });
  const asked = await fetch(`${shared.url}/workspaces/${workspaceId}/events`, {
    method: "OPTIONS",
    headers: { ...headers, "access-control-request-method": "POST" },
  });

  expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  expect(asked.headers.get("access-control-allow-origin")).toBeNull();
  expect(answer.headers.get("cache-control")).toBe("no-store");
});

describe("judges events", () => {
  const windows = { impressionWindowMs: 10_000, clickWindowMs: 2_000 };

  async function verdictsOf(events: readonly unknown[], options: RigOptions = {}): Promise<unknown[]> {
    const rig = await aRig({ limits: windows, ...options });
    const { refused } = await report(rig, events);
    expect(refused).toEqual([]);
    return (await rig.storedEvents()).map(({ verdict }) => verdict);
  }

  it("by their user agent, and vouches for those that have none", async () => {
    const verdicts = await verdictsOf([
      anEvent({ userAgent: "Googlebot/2.1", ...at(NOON - 3) }),
      anEvent({ userAgent: "", ...at(NOON - 2) }),
      { adId: ad.id, kind: "click", ...at(NOON - 1) },
    ]);

    expect(verdicts).toEqual(["bot", "bot", "valid"]);
  });

  it("as duplicates by the visitor's id, else by address and user agent, and never without both", async () => {
    const unknown = { adId: ad.id, kind: "click" };
    const verdicts = await verdictsOf([
      anEvent({ visitorId: "a" }),
      anEvent({ visitorId: "a", ip: "203.0.113.8", userAgent: undefined }),
      anEvent({ visitorId: "b" }),
      anEvent(),
      anEvent(),
      anEvent({ userAgent: `${FIREFOX} 2` }),
      unknown,
      unknown,
    ]);

    expect(verdicts).toEqual([
      "valid",
      "duplicate",
      "valid",
      "valid",
      "duplicate",
      "valid",
      "valid",
      "valid",
    ]);
  });

  it("in order of their times, however they come", async () => {
    const rig = await aRig({ limits: windows });
    const times = [0, 5_000, -3 * HOUR, 30_000, -3 * HOUR + 9_000, 10_001, -24 * HOUR, 5 * 60_000];
    expect(
      (
        await report(
          rig,
          times.map((time) => anEvent(at(NOON + time))),
        )
      ).accepted,
    ).toBe(8);
    const verdicts = (await rig.storedEvents()).map(({ occurred_at, verdict }) => [
      Number(occurred_at) - NOON,
      verdict,
    ]);

    expect(verdicts).toEqual([
      [-24 * HOUR, "valid"],
      [-3 * HOUR, "valid"],
      [-3 * HOUR + 9_000, "duplicate"],
      [0, "valid"],
      [5_000, "duplicate"],
      [10_001, "valid"],
      [30_000, "valid"],
      [5 * 60_000, "valid"],
    ]);
  });

  it("by whether the ad was serving when they occurred", async () => {
    const ended: SnapshotAd = anAd({ servingUntil: NOON - 2 * HOUR });
    const verdicts = await verdictsOf(
      [
        anEvent({ adId: ended.id, visitorId: "a", ...at(NOON - 2 * HOUR + 14 * 60_000) }),
        anEvent({ adId: ended.id, visitorId: "b" }),
      ],
      { snapshots: [{ ...snapshot, ads: [ended] }] },
    );

    expect(verdicts).toEqual(["valid", "not_serving"]);
  });

  it("by the limit of their address, where they have one", async () => {
    const rig = await aRig({ limits: { impressionsPerMinute: 2 } });
    const known = Array.from({ length: 3 }, (_, n) => anEvent({ visitorId: `visitor ${n}` }));
    const unknown = Array.from({ length: 3 }, (_, n) => anEvent({ ip: undefined, visitorId: `other ${n}` }));

    expect(await report(rig, [...known, ...unknown])).toEqual({
      accepted: 5,
      refused: [{ index: 2, code: "limited" }],
    });
  });

  it("that are refused for their time alone: 24 hours back and 5 minutes ahead are the bounds", async () => {
    const { refused } = await report(shared, [
      anEvent(at(NOON - 24 * HOUR)),
      anEvent(at(NOON - 24 * HOUR - 1)),
      anEvent(at(NOON + 5 * 60_000)),
      anEvent(at(NOON + 5 * 60_000 + 1)),
      anEvent({ occurredAt: "2026-11-21T14:00:00+02:00" }),
    ]);

    expect(refused).toEqual([
      { index: 1, code: "too_old" },
      { index: 3, code: "in_the_future" },
    ]);
  });
});

describe("with an Idempotency-Key", () => {
  const events = [anEvent({ visitorId: "a", ...at(NOON) }), anEvent({ visitorId: "b", ...at(NOON - HOUR) })];

  async function idsOf(bodies: readonly string[], sent: Sent = {}, options: RigOptions = {}) {
    const rig = await aRig(options);
    for (const body of bodies) expect((await post(rig, body, sent)).status).toBe(200);
    return (await rig.storedEvents()).map(({ event_id }) => event_id);
  }

  const body = JSON.stringify({ events });

  it("has the same ids in each process, so that the events are counted once, and new ones without a key", async () => {
    const keyed = { idempotencyKey: "batch-17" };
    const [one, another] = await Promise.all([idsOf([body], keyed), idsOf([body], keyed)]);
    const twice = await idsOf([body, body], keyed);
    const unkeyed = await idsOf([body, body]);

    expect(another).toEqual(one);
    expect(twice).toEqual([...one, ...one]);
    expect(new Set([...one, ...unkeyed]).size).toBe(6);
  });

  it("takes the same events for the same request, whatever their form, and others for another", async () => {
    const keyed = { idempotencyKey: "batch-18" };
    const reordered = JSON.stringify({
      events: events.map((event) => Object.fromEntries(Object.entries(event).toReversed())),
    });
    const changed = JSON.stringify({ events: events.toReversed() });

    const ids = await idsOf([body, ` ${reordered} `, changed], keyed);

    expect(ids.slice(2, 4)).toEqual(ids.slice(0, 2));
    expect(new Set(ids).size).toBe(4);
  });

  it("keeps workspaces and keys apart", async () => {
    const rig = await aRig();
    await report(rig, events, { idempotencyKey: "a" });
    await report(rig, events, { idempotencyKey: "b" });
    const theirs = events.map((event) => ({ ...event, adId: otherAd.id }));
    const as = { workspaceId: other.workspaceId, key: otherKey.key };
    await report(rig, theirs, { ...as, idempotencyKey: "a" });
    const ids = (await rig.storedEvents()).map(({ event_id }) => event_id);

    expect(new Set(ids).size).toBe(6);
  });

  it("takes from the limit of an address once however often it comes, and again on another day", async () => {
    let now = NOON;
    const reported = [anEvent({ visitorId: "a" }), anEvent({ visitorId: "b" })].map((event) => ({
      ...event,
      ip: "203.0.113.9",
    }));
    const rig = await aRig({ now: () => now, limits: { impressionsPerMinute: 3 } });
    const answers = [];
    for (now of [NOON, NOON + 5_000, NOON + 12 * HOUR + 5_000])
      answers.push(await report(rig, reported, { idempotencyKey: "a" }));

    expect(answers).toEqual(answers.map(() => ({ accepted: 2, refused: [] })));
    const another = await report(rig, reported, { idempotencyKey: "b" });
    expect(another).toEqual({ accepted: 1, refused: [{ index: 1, code: "limited" }] });
    // Ingestion recognizes all of the first.
    expect(new Set((await rig.storedEvents()).map(({ event_id }) => event_id)).size).toBe(3);
  });

  it("judges a repetition as the first time, and stores what was refused then", async () => {
    const late = anAd();
    const rig = await aRig({ limits: { impressionWindowMs: 10_000, impressionsPerMinute: 2 } });
    const more = [...events, anEvent({ adId: late.id, visitorId: "c", ...at(NOON) })];
    const first = await report(rig, more, { idempotencyKey: "a" });
    const again = await report(rig, more, { idempotencyKey: "a" });
    await rig.placements.publish({ ...snapshot, version: 2, ads: [ad, late] });
    const accepted = async () => (await report(rig, more, { idempotencyKey: "a" })).accepted;

    expect(first).toEqual({ accepted: 2, refused: [{ index: 2, code: "unknown_ad" }] });
    expect(again).toEqual(first);
    await expect.poll(accepted, { timeout: 20_000 }).toBe(3);
  });
});
