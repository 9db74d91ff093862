import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { servedAds, trackedAds } from "#libs/contract/serving.ts";
import { newId } from "#libs/domain/ids.ts";
import { ControlledLog } from "#libs/event-log/tests/controlled-log.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const NOON = Date.UTC(2026, 10, 21, 12);
const ads = [anAd(), anAd(), anAd()];
const [first, second, third] = ads.map(({ id }) => ({ id }));
const snapshot = aSnapshot({ ads });

describe("the impressions of a page, in one request", () => {
  let rig: ServingRig;
  let now = NOON;
  afterEach(() => rig.close());

  async function open(options: RigOptions = {}) {
    now = NOON;
    rig = await openRig({ snapshots: [snapshot], now: () => now, ...options });
  }

  /** As a page of any site sends it: without a preflight. */
  async function send(body: unknown, headers: Record<string, string> = {}) {
    const response = await fetch(`${rig.url}/impressions`, {
      method: "POST",
      headers: { "user-agent": FIREFOX, "content-type": "text/plain;charset=UTF-8", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  const results = (answer: { body: unknown }) => trackedAds.strict().parse(answer.body).ads;
  const stored = async () => (await rig.storedEvents()).map(({ ad_id, verdict }) => [ad_id, verdict]);

  it("are on disk, one event each, when they are answered one by one", async () => {
    await open();

    const answer = await send({ ads });

    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(results(answer)).toEqual(ads.map(({ id }) => ({ id, success: true })));
    expect(await stored()).toEqual(ads.map(({ id }) => [id, "valid"]));
  });

  it("count although one of them names no ad", async () => {
    await open();
    const made = [{ id: newId("ad") }, { id: "nothing" }];

    const answer = await send({ ads: [first, ...made, second] });

    expect(results(answer).map(({ success }) => success)).toEqual([true, false, false, true]);
    expect(await stored()).toEqual([first, second].map((ad) => [ad?.id, "valid"]));
  });

  it("count once when they are sent again, though not all arrived the first time", async () => {
    await open({ limits: { impressionWindowMs: 10_000 } });

    await send({ ads: [first, second] });
    now += 4_000;
    const again = await send({ ads: [first, second, third] });

    expect(results(again).map(({ success }) => success)).toEqual([true, true, true]);
    expect((await stored()).filter(([, verdict]) => verdict === "valid")).toHaveLength(3);
  });

  it("are each held to the limits of their address", async () => {
    await open({ limits: { impressionsPerMinute: 2 } });

    const answer = await send({ ads: [first, first, first, second] });

    expect(results(answer).map(({ success }) => success)).toEqual([true, true, false, true]);
  });

  it("have a proof each where the workspace asks for one", async () => {
    const guarded = aSnapshot({ ads: [anAd(), anAd()], requireProof: true });
    await open({ snapshots: [guarded] });
    const served = await fetch(`${rig.url}/workspaces/${guarded.workspaceId}/ads/serving?count=2&proof=1`);
    const [one, other] = servedAds.parse(await served.json()).ads;

    await send({
      ads: [
        { id: one?.id, proof: one?.proof },
        { id: other?.id, proof: one?.proof },
      ],
    });

    expect(await stored()).toEqual([
      [one?.id, "valid"],
      [other?.id, "unproven"],
    ]);
  });

  it("are answered 503 where none can be stored", async () => {
    await open();
    await rig.log.close();

    const answer = await send({ ads });

    expect(answer).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
    expect(answer.headers.get("retry-after")).toBe("1");
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("name those to send again where only some can be stored", async () => {
    await open();
    const elsewhere = newId("ad");
    await send({ ads: [first] });
    rig.source.isAway = true;

    const answer = await send({ ads: [first, { id: elsewhere }] });

    expect(results(answer)).toEqual([
      { id: first?.id, success: true },
      { id: elsewhere, success: false, retry: true },
    ]);
  });

  it.each([
    ["nothing", "", "MALFORMED_BODY"],
    ["no JSON", "{", "MALFORMED_BODY"],
    ["no list", { ads: "ad_1" }, "INVALID_INPUT"],
    ["an empty list", { ads: [] }, "INVALID_INPUT"],
    ["51 ads", { ads: Array.from({ length: 51 }, () => first) }, "INVALID_INPUT"],
    ["an ad without an id", { ads: [first, {}] }, "INVALID_INPUT"],
    ["too many levels", "[".repeat(10_000), "MALFORMED_BODY"],
  ])("are 422 for %s, and nothing is stored", async (_case, body, reason) => {
    await open();

    expect(await send(body)).toMatchObject({ status: 422, body: { data: { reason } } });
    expect(await rig.storedEvents()).toEqual([]);
  });

  it("may be 50, of any type of body, with keys that are not known", async () => {
    await open();
    const fifty = Array.from({ length: 50 }, () => ({ ...first, seenFor: 1 }));

    const answer = await send({ ads: fifty, page: "/" }, { "content-type": "///;;=" });

    expect(results(answer)).toHaveLength(50);
    expect(await rig.storedEvents()).toHaveLength(50);
  });

  it("take 16 KiB at most, announced or not", async () => {
    await open();

    const announced = await send(" ".repeat(16 * 1024 + 1));
    const answer = await sendRaw(
      "transfer-encoding: chunked",
      `${(20_000).toString(16)}\r\n${" ".repeat(20_000)}\r\n`,
    );

    expect(announced).toMatchObject({ status: 413, body: { code: "PAYLOAD_TOO_LARGE" } });
    expect(answer).toContain("HTTP/1.1 413 ");
    expect(answer).toContain("connection: close");
  });

  it("are taken by POST alone", async () => {
    await open();

    const response = await fetch(`${rig.url}/impressions`);

    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("are counted as an answer and as the events that they are", async () => {
    await open();
    await send({ ads: [first, second, { id: newId("ad") }] });

    const metrics = await rig.registry.metrics();

    expect(metrics).toContain('placard_serving_answers_total{route="/v1/impressions",status="200"} 1');
    expect(metrics).toContain('placard_tracking_events_total{kind="impression",verdict="valid"} 2');
    expect(metrics).toContain('placard_tracking_refused_total{kind="impression",reason="unknown_ad"} 1');
  });

  it("keep no event of others from being recorded, however many of one network wait", async () => {
    const log = new ControlledLog();
    await open({ log });
    await send({ ads: [first] });
    log.fate = "held";
    const fifty = Array.from({ length: 50 }, () => first);
    let refused = 0;
    const report = async () => {
      const { status } = await send({ ads: fifty }, { "x-forwarded-for": "192.0.2.1" });
      if (status === 503) refused += 1;
    };
    const flood = Array.from({ length: 240 }, report);
    await expect.poll(() => refused).toBeGreaterThan(0);

    const other = fetch(`${rig.url}/ads/${second?.id}/impressions`, {
      method: "POST",
      headers: { "user-agent": FIREFOX },
    });
    const page = send({ ads: [third] }, { "x-forwarded-for": "192.0.2.2" });
    const release = setInterval(() => log.release("taken"), 20);
    const answers = await Promise.all([other, page]);
    await Promise.all(flood);
    clearInterval(release);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  });

  it("are stored by one append where they come together", async () => {
    const log = new ControlledLog();
    await open({ log });

    await send({ ads });

    expect(log.taken.map(({ count }) => count)).toEqual([3]);
  });

  /** Sends the head and as much of a body, and reads until the service ends the connection. */
  async function sendRaw(length: string, body: string): Promise<string> {
    const { port } = new URL(rig.url);
    const socket = connect(Number(port), "127.0.0.1");
    socket.write(`POST /v1/impressions HTTP/1.1\r\nhost: a\r\n${length}\r\n\r\n${body}`);
    return text(socket);
  }
});
