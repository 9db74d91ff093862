import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { tracked } from "#libs/contract/serving.ts";
import { isId, newId } from "#libs/domain/ids.ts";
import type { Snapshot } from "#libs/placements/index.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const MINUTE = 60_000;
const SAFARI =
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15";

const running = anAd();
const ended = anAd({ servingUntil: NOON - 16 * MINUTE });
const justEnded = anAd({ servingUntil: NOON - 14 * MINUTE });
const snapshot = aSnapshot({ ads: [running, ended, justEnded] });

describe("tracking over HTTP", () => {
  let rig: ServingRig;
  let now = NOON;
  afterEach(() => rig.close());

  async function open(options: RigOptions = {}) {
    now = NOON;
    rig = await openRig({ snapshots: [snapshot], now: () => now, ...options });
  }

  interface Visit {
    readonly adId?: string;
    readonly kind?: "impressions" | "clicks";
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }

  async function send({ adId = running.id, kind = "impressions", headers = {}, body }: Visit = {}) {
    const response = await fetch(`${rig.url}/ads/${adId}/${kind}`, {
      method: "POST",
      headers: { "user-agent": FIREFOX, ...headers },
      ...(body === undefined ? {} : { body }),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const verdicts = async () => (await rig.storedEvents()).map(({ verdict }) => verdict);

  it("acknowledges what is on disk, in the contract's shape", async () => {
    await open();

    const impression = await send();
    const click = await send({ kind: "clicks" });

    expect(impression).toMatchObject({ status: 200, body: { success: true } });
    expect(tracked.strict().parse(click.body)).toEqual({ success: true });
    expect(impression.headers.get("access-control-allow-origin")).toBe("*");
    expect(impression.headers.get("cache-control")).toBeNull();
    const event = {
      workspace_id: snapshot.workspaceId,
      ad_id: running.id,
      verdict: "valid",
      occurred_at: NOON,
    };
    const stored = await rig.storedEvents();
    expect(stored).toMatchObject([
      { ...event, kind: "impression" },
      { ...event, kind: "click" },
    ]);
    for (const { event_id } of stored) expect(isId("event", String(event_id))).toBe(true);
  });

  it("stores neither address nor user agent, and tells visitors apart by both", async () => {
    await open();

    await send();
    await send({ headers: { "user-agent": SAFARI } });
    await send({ headers: { "x-forwarded-for": "192.0.2.7" } });
    await send();

    const stored = await rig.storedEvents();
    const visitors = stored.map(({ visitor }) => visitor);
    expect(new Set(visitors).size).toBe(3);
    expect(visitors[3]).toBe(visitors[0]);
    expect(JSON.stringify(stored)).not.toMatch(/192\.0\.2\.7|127\.0\.0\.1|Mozilla|Gecko/);
  });

  it("stores a second impression of a visitor as a duplicate, until the window has passed", async () => {
    await open({ limits: { impressionWindowMs: 10_000, clickWindowMs: 2_000 } });

    await send();
    await send();
    await send({ kind: "clicks" });
    await send({ headers: { "user-agent": SAFARI } });
    now += 10_001;
    const last = await send();

    expect(last.body).toEqual({ success: true });
    expect(await verdicts()).toEqual(["valid", "duplicate", "valid", "valid", "valid"]);
  });

  it("stores bots, prefetches and events of ads long gone with their verdict, and answers true", async () => {
    await open();

    const answers = [
      await send({ headers: { "user-agent": "curl/8.5.0" } }),
      await send({ headers: { "sec-purpose": "prefetch;prerender" } }),
      await send({ adId: ended.id }),
      await send({ adId: justEnded.id }),
    ];

    expect(answers.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => ({ success: true })));
    expect(await verdicts()).toEqual(["bot", "prefetch", "not_serving", "valid"]);
  });

  it("takes a request without a user agent for a bot's", async () => {
    await open();

    const answer = await sendRaw({});

    expect(answer).toMatchObject({ status: 200, body: '{"success":true}' });
    expect(await verdicts()).toEqual(["bot"]);
  });

  it("answers false over the limit of an address, whatever user agent it sends, and stores nothing", async () => {
    await open({ limits: { impressionsPerMinute: 2, clicksPerMinute: 1 } });

    const impressions = [await send(), await send({ headers: { "user-agent": SAFARI } }), await send()];
    const clicks = [await send({ kind: "clicks" }), await send({ kind: "clicks" })];
    const elsewhere = await send({ headers: { "x-forwarded-for": "192.0.2.7" } });

    expect(impressions.map(({ body }) => body.success)).toEqual([true, true, false]);
    expect(clicks.map(({ body }) => body.success)).toEqual([true, false]);
    expect(elsewhere.body).toEqual({ success: true });
    expect(await rig.storedEvents()).toHaveLength(4);
  });

  it("counts the addresses of one /64 network as one, and IPv4 in IPv6 as IPv4", async () => {
    await open({ limits: { impressionsPerMinute: 1, impressionWindowMs: 10_000, clickWindowMs: 10_000 } });
    const from = (address: string, kind: Visit["kind"]) =>
      send({ ...(kind === undefined ? {} : { kind }), headers: { "x-forwarded-for": address } });

    const impressions = [
      await from("2001:db8:1:2::7", "impressions"),
      await from("2001:db8:1:2:ffff::8", "impressions"),
      await from("2001:db8:1:3::7", "impressions"),
      await from("::ffff:192.0.2.7", "impressions"),
      await from("192.0.2.7", "impressions"),
    ];
    await from("2001:db8:1:2::7", "clicks");
    await from("2001:db8:1:2::8", "clicks");

    expect(impressions.map(({ body }) => body.success)).toEqual([true, false, true, true, false]);
    const clicks = (await rig.storedEvents()).filter(({ kind }) => kind === "click");
    expect(clicks.map(({ verdict }) => verdict)).toEqual(["valid", "duplicate"]);
  });

  it("holds the workspace's own limits, and new ones as soon as they are published", async () => {
    await open({ limits: { impressionsPerMinute: 1, clicksPerMinute: 1 } });
    const change = (version: number, limits: Snapshot["limits"]) =>
      rig.placements.publish({ ...snapshot, version, limits });

    await change(2, { impressionsPerMinute: 2, clicksPerMinute: null });
    const raised = [await send(), await send(), await send()];
    const clicks = [await send({ kind: "clicks" }), await send({ kind: "clicks" })];
    await change(3, { impressionsPerMinute: 0, clicksPerMinute: null });
    const off = [await send(), await send()];

    expect(raised.map(({ body }) => body.success)).toEqual([true, true, false]);
    expect(clicks.map(({ body }) => body.success)).toEqual([true, false]);
    expect(off.map(({ body }) => body.success)).toEqual([true, true]);
  });

  it("answers false for an ad that is not there, and stores nothing", async () => {
    await open();

    const answers = [await send({ adId: newId("ad") }), await send({ adId: "nothing", kind: "clicks" })];

    expect(answers.map(({ status, body }) => [status, body])).toEqual([
      [200, { success: false }],
      [200, { success: false }],
    ]);
    expect(await rig.storedEvents()).toEqual([]);
  });

  it("knows an ad that was unknown as soon as it is published", async () => {
    await open();
    const fresh = anAd();
    const before = await send({ adId: fresh.id });

    const changed = { ...snapshot, version: 2, ads: [...snapshot.ads, fresh] };
    rig.source.put(changed);
    await rig.placements.publish(changed);
    const after = await send({ adId: fresh.id });

    expect([before.body, after.body]).toEqual([{ success: false }, { success: true }]);
    expect(await verdicts()).toEqual(["valid"]);
  });

  it("answers 503 with Retry-After when the log is gone, never a false true", async () => {
    await open();
    await send();
    await rig.log.close();

    const answers = await Promise.all(Array.from({ length: 20 }, () => send()));

    for (const answer of answers) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.body).toMatchObject({ defined: false, code: "SERVICE_UNAVAILABLE", status: 503 });
    }
    expect(rig.warnings).toHaveLength(1);
  });

  it("answers each of many at once, and stores each of those once", async () => {
    await open();

    const answers = await Promise.all(Array.from({ length: 1_200 }, () => send()));

    expect(answers.every(({ body }) => body.success === true)).toBe(true);
    const ids = (await rig.storedEvents()).map(({ event_id }) => event_id);
    expect(new Set(ids).size).toBe(1_200);
  });

  it.each([
    ["what sendBeacon sends", { "content-type": "text/plain;charset=UTF-8" }, "hello"],
    ["JSON that is none", { "content-type": "application/json" }, "{"],
    ["an empty body that claims to be JSON", { "content-type": "application/json" }, ""],
    ["a type that is none", { "content-type": "///;;=" }, "hello"],
    ["64 KiB of anything", { "content-type": "application/octet-stream" }, "x".repeat(64 * 1024)],
  ])("does not mind %s", async (_name, headers, body) => {
    await open();

    expect(await send({ headers, body })).toMatchObject({ status: 200, body: { success: true } });
    expect(await verdicts()).toEqual(["valid"]);
  });

  it("does not mind a chunked body, and refuses one that grows over 64 KiB", async () => {
    await open();

    const small = await sendRaw({ "user-agent": FIREFOX }, ["a", "b"]);
    const large = await sendRaw({ "user-agent": FIREFOX }, ["x".repeat(40_000), "x".repeat(40_000)]);
    const declared = await send({ body: "x".repeat(64 * 1024 + 1) });

    expect(small).toMatchObject({ status: 200, body: '{"success":true}' });
    expect(large.status).toBe(413);
    expect(JSON.parse(large.body)).toMatchObject({ code: "PAYLOAD_TOO_LARGE", status: 413 });
    expect(declared).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect(await rig.storedEvents()).toHaveLength(1);
  });

  it("counts what it does", async () => {
    await open({ limits: { impressionsPerMinute: 1 } });
    await send();
    await send();
    await send({ adId: newId("ad") });

    const metrics = await rig.registry.metrics();

    expect(metrics).toContain('placard_tracking_events_total{kind="impression",verdict="valid"} 1');
    expect(metrics).toContain('placard_tracking_refused_total{kind="impression",reason="limited"} 1');
    expect(metrics).toContain('placard_tracking_refused_total{kind="impression",reason="unknown_ad"} 1');
    expect(metrics).toContain("placard_tracking_batch_events_count 2");
  });

  /** A request with exactly these headers: fetch adds a user agent of its own. */
  async function sendRaw(headers: Record<string, string>, chunks: readonly string[] = []) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: string }>();
    const sending = request(`${rig.url}/ads/${running.id}/impressions`, { method: "POST", headers });
    sending.on("error", reject);
    sending.on("response", (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    for (const chunk of chunks) sending.write(chunk);
    sending.end();
    return promise;
  }
});
