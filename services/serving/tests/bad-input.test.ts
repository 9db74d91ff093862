import { request } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const snapshot = aSnapshot({ ads: [anAd(), anAd()] });
const ADS = `/workspaces/${snapshot.workspaceId}/ads/serving`;
const LONG = "9".repeat(8_000);

/** Texts that are no id, in the form of a path or a query. */
const STRANGE = [
  "abc",
  "%00",
  "%ED%A0%80",
  "%E2%98%95",
  "%",
  "%zz",
  "..%2F..%2Fetc",
  "%27%20or%201=1--",
  "__proto__",
  "constructor",
  LONG,
];

describe("bad input", () => {
  let rig: ServingRig;
  beforeAll(async () => {
    rig = await openRig({ snapshots: [snapshot] });
  });
  afterAll(() => rig.close());

  /** Sends the path unchanged; fetch would normalise it. */
  async function send(method: string, path: string) {
    const { promise, resolve, reject } = Promise.withResolvers<{ status: number; body: unknown }>();
    const { hostname, port } = new URL(rig.url);
    const sending = request({
      hostname,
      port,
      method,
      path: `/v1${path}`,
      headers: { "user-agent": FIREFOX },
    });
    sending.on("error", reject);
    sending.on("response", (response) => {
      text(response).then(
        (body) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(body) }),
        reject,
      );
    });
    sending.end();
    return promise;
  }

  function envelope(status: number) {
    return {
      status,
      body: expect.objectContaining({ status, code: expect.any(String), message: expect.any(String) }),
    };
  }

  const invalid = (field: string) => ({
    status: 422,
    body: {
      defined: true,
      code: "INPUT_VALIDATION_FAILED",
      status: 422,
      message: "INPUT_VALIDATION_FAILED",
      data: {
        formErrors: [],
        fieldErrors: { [field]: [expect.any(String)] },
        reason: "INVALID_INPUT",
        requestId: expect.any(String),
      },
    },
  });

  it.each([
    ...[
      "abc",
      "1.5",
      "",
      "%20",
      "1e1",
      "0x1",
      "%00",
      "%ED%A0%80",
      "%",
      "%F0%9F%98%80",
      "1&count=2",
      `${LONG}x`,
    ].map((value) => ["count", `count=${value}`]),
    ...[
      "",
      "abc",
      "0x10",
      "NaN",
      "Infinity",
      "-Infinity",
      "1e999",
      LONG,
      "%00",
      "%",
      "1,2",
      "1&weight[gte]=2",
    ].flatMap((value) => [
      ["weight.gte", `weight[gte]=${value}`],
      ["weight.lt", `weight%5Blt%5D=${value.replace("[gte]", "[lt]")}`],
    ]),
    ["weight", "weight=1"],
    ["weight", "weight"],
    ["tierId", `tierId=${Array.from({ length: 101 }, (_, index) => index).join(",")}`],
    ["tierId", Array.from({ length: 101 }, () => "tierId=same").join("&")],
    ["excludeIds", `excludeIds=${Array.from({ length: 201 }, (_, index) => index).join(",")}`],
    ["excludeIds", Array.from({ length: 201 }, (_, index) => `excludeIds[]=${index}`).join("&")],
  ])("names %s in an answer of 422 to ?%.60s", async (field, query) => {
    expect(await send("GET", `${ADS}?${query}`)).toEqual(invalid(field));
  });

  it.each([...STRANGE, ""])("takes %.20s for an id that matches nothing", async (value) => {
    expect(await send("GET", `${ADS}?tierId=${value}`)).toEqual({ status: 200, body: { ads: [] } });
    expect(await send("GET", `${ADS}?excludeIds=${value}`)).toMatchObject({
      status: 200,
      body: { ads: [{}] },
    });
    expect(await send("GET", `${ADS}?excludeIds[]=${value}`)).toMatchObject({
      status: 200,
      body: { ads: [{}] },
    });
  });

  it.each([
    "?",
    "?&&=&",
    "?=1",
    "?%00=1",
    "?weight[foo]=1&unknown=%",
    "?weight[gt]=9",
    "?weight]=1",
    "?[gte]=1",
    "?unknown[]=1",
    "?__proto__[gte]=1",
    "?tierID=x",
    "?Count=abc",
  ])("ignores parameters that it does not know (%s)", async (query) => {
    expect(await send("GET", `${ADS}${query}`)).toMatchObject({ status: 200, body: { ads: [{}] } });
  });

  it.each(STRANGE)("answers 404 for the workspace %.20s", async (id) => {
    expect(await send("GET", `/workspaces/${id}/ads/serving`)).toMatchObject(envelope(404));
    expect(await send("GET", `/workspaces/${id}/tiers/serving`)).toMatchObject(envelope(404));
  });

  it("tells bad input before a missing workspace", async () => {
    expect(await send("GET", "/workspaces/nothing/ads/serving?count=abc")).toEqual(invalid("count"));
  });

  it.each(["", "abc", "%00", "%E2%98%95", "..%2Fx", "__proto__"])(
    "answers false for the ad %s",
    async (id) => {
      expect(await send("POST", `/ads/${id}/impressions`)).toEqual({ status: 200, body: { success: false } });
      expect(await send("POST", `/ads/${id}/clicks`)).toEqual({ status: 200, body: { success: false } });
      const proven = await send("POST", `/ads/${id}/clicks?proof=${"A".repeat(22)}`);
      expect(proven).toEqual({ status: 200, body: { success: false } });
    },
  );

  it.each(["%", "%zz", "%ED%A0%80", "a".repeat(201), LONG])(
    "answers false for what no ad can be called (%.20s), whatever body comes with it",
    async (id) => {
      for (const kind of ["impressions", "clicks", "clicks?proof=x/../y"]) {
        for (const body of [undefined, "", "{", "x".repeat(70_000)]) {
          const response = await fetch(`${rig.url}/ads/${id}/${kind}`, {
            method: "POST",
            ...(body === undefined ? {} : { body }),
          });
          expect([response.status, await response.json()]).toEqual([200, { success: false }]);
          expect(response.headers.get("access-control-allow-origin")).toBe("*");
        }
      }
    },
  );

  it("answers 404 for a path beside the endpoints, also if it has what no ad can be called", async () => {
    expect(await send("POST", "/ads/%zz/views")).toMatchObject(envelope(404));
    expect(await send("POST", "/ads/%zz\\x/impressions")).toMatchObject(envelope(404));
    expect(await send("POST", "/ads/%zz/x/impressions")).toMatchObject(envelope(404));
  });

  it.each([
    ["DELETE", ADS],
    ["POST", ADS],
    ["GET", "/ads/ad_1/clicks"],
    ["PUT", "/ads/ad_1/impressions"],
  ])("answers 405 to %s %s", async (method, path) => {
    expect(await send(method, path)).toMatchObject(envelope(405));
  });

  it("has stored nothing of all this", async () => {
    expect(await rig.storedEvents()).toEqual([]);
  });
});

describe("targets that are another path once they are normalised", () => {
  const [ad] = snapshot.ads;
  const paths = [
    ["GET", `/v1${ADS}`],
    ["POST", `/v1/ads/${ad?.id ?? ""}/clicks`],
  ] as const;
  const proof = "?proof=AAAAAAAAAAAAAAAAAAAAAA/../..\\\\x";

  it("are 404, when their ad and answer are held in memory too", async () => {
    const rig = await openRig({ snapshots: [snapshot] });
    const headers = { "user-agent": FIREFOX };
    const known = await Promise.all(
      paths.flatMap(([method, path]) => [1, 2].map(() => statusOfTarget(rig.url, path, { method, headers }))),
    );

    const refused = await Promise.all(
      paths.flatMap(([method, path]) =>
        foreignTargets(path).flatMap((target) => [
          statusOfTarget(rig.url, target, { method, headers }),
          statusOfTarget(rig.url, `${target}${proof}`, { method, headers }),
        ]),
      ),
    );

    expect(known).toEqual([200, 200, 200, 200]);
    expect(refused.filter((status) => status !== 404)).toEqual([]);
    await rig.close();
  });
});

describe("a network that makes up ids", () => {
  it("costs 200 look-ups a minute, and cached ads are still served", async () => {
    const rig = await openRig({ snapshots: [snapshot] });
    const [ad] = snapshot.ads;
    const headersOf = (address: string) => ({ "user-agent": FIREFOX, "x-forwarded-for": address });
    const click = (adId: string, address: string) =>
      fetch(`${rig.url}/ads/${adId}/clicks`, { method: "POST", headers: headersOf(address) });
    const ask = (workspaceId: string, address: string) =>
      fetch(`${rig.url}/workspaces/${workspaceId}/ads/serving`, { headers: headersOf(address) });
    await ask(snapshot.workspaceId, "2001:db8:1:1::1");

    for (let count = 0; count < 210; count += 1)
      await click(newId("ad"), `2001:db8:1:2::${count.toString(16)}`);
    const overBudget = await ask(newId("workspace"), "2001:db8:1:2::ffff");
    const held = await ask(snapshot.workspaceId, "2001:db8:1:2::ffff");
    const counted = await click(ad?.id ?? "", "2001:db8:1:2::ffff");
    const neighbour = await ask(newId("workspace"), "2001:db8:1:3::1");

    expect(rig.source.searches).toBe(200);
    expect([overBudget.status, held.status, neighbour.status]).toEqual([429, 200, 404]);
    expect(await counted.json()).toEqual({ success: true });
    await rig.close();
  });
});
