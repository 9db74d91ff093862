import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { answerToTarget, foreignTargets } from "#libs/testing/raw-target.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type ServingRig } from "./serving-rig.ts";

const TARGET = "https://northwind.example/?utm_source=weekly";
const ad = anAd({ clickUrl: TARGET });
const neighbor = anAd({ clickUrl: "https://neighbor.example/" });
const unapproved = anAd({ clickUrl: null, websiteUrl: "https://evil.example/" });
const CLICK = `/v1/ads/${ad.id}/click`;
const EVIL = "https://evil.example";
const LONG = "x".repeat(7_000);
const EVIL_ENCODED = "https%3A%2F%2Fevil.example";

let rig: ServingRig;
beforeAll(async () => {
  rig = await openRig({
    snapshots: [aSnapshot({ ads: [ad, unapproved] }), aSnapshot({ ads: [neighbor] })],
  });
});
afterAll(() => rig.close());

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status and where the answer leads; each `Location` and `Refresh` of a head that somebody may have split. */
async function follow(target: string, { method = "GET", headers = {} }: Asked = {}) {
  const { origin } = new URL(rig.url);
  const answer = await answerToTarget(origin, target, {
    method,
    headers: { "user-agent": FIREFOX, ...headers },
  });
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0),
    leads: [...answer.matchAll(/^(?:location|refresh|content-location): *(.*)\r$/gim)].map(([, to]) => to),
    answer,
  };
}

describe("the link of an ad", () => {
  it.each([
    "",
    "?",
    `?url=${EVIL}`,
    `?url=${EVIL_ENCODED}&to=//evil.example&next=${EVIL}&redirect_uri=${EVIL}&dest=${EVIL}`,
    `?utm_source=${EVIL_ENCODED}&utm_medium=email&utm_campaign=x&mc_cid=1&mc_eid=2&_hsenc=3&fbclid=4&gclid=5`,
    "?utm_source=x%0d%0aLocation:%20https:%2f%2fevil.example",
    "?%0d%0aLocation:%20https:%2f%2fevil.example%0d%0a",
    "?//evil.example",
    "?@evil.example",
    "?\\evil.example",
    "?_method=POST&__proto__[clickUrl]=//evil.example&clickUrl=//evil.example",
    "#@evil.example",
  ])("leads to the approved address, whatever a mail service appends: %s", async (appended) => {
    expect(await follow(`${CLICK}${appended}`)).toMatchObject({ status: 302, leads: [TARGET] });
  });

  it.each([
    { host: "evil.example" },
    { host: "evil.example:80@northwind.example" },
    { "x-forwarded-host": "evil.example", "x-forwarded-proto": "javascript" },
    { "x-forwarded-for": "203.0.113.7", "x-forwarded-prefix": "//evil.example" },
    { forwarded: "host=evil.example;proto=https" },
    { "x-original-url": "//evil.example", "x-rewrite-url": "//evil.example" },
    { referer: `${EVIL}/`, origin: EVIL },
    { "x-http-method-override": "DELETE", "x-method-override": "HEAD" },
    { "if-none-match": "*", "if-modified-since": "Sat, 21 Nov 2026 12:00:00 GMT" },
    { range: "bytes=0-0", "if-range": '"x"' },
    { accept: "application/json", "x-requested-with": "XMLHttpRequest" },
  ])("leads there with these headers: %j", async (headers) => {
    expect(await follow(CLICK, { headers })).toMatchObject({ status: 302, leads: [TARGET] });
  });

  it.each(foreignTargets(CLICK))("leads nowhere for a target that is another one: %s", async (target) => {
    const { status, leads } = await follow(target);

    expect(leads).toEqual([]);
    expect([0, 400, 404]).toContain(status);
  });

  it.each([
    `/v1/ads/${ad.id}%2f/click`,
    `/v1/ads/${ad.id}%2f..%2f${neighbor.id}/click`,
    `/v1/ads/..%2f..%2f%2fevil.example/click`,
    "/v1/ads/%2f%2fevil.example/click",
    "/v1/ads/https:%2f%2fevil.example/click",
    "/v1/ads/evil.example/click",
    `/v1/ads/${ad.id}%00/click`,
    `/v1/ads/${ad.id}%0d%0aLocation:%20https:%2f%2fevil.example/click`,
    `/v1/ads/${ad.id}%20/click`,
    `/v1/ads/${ad.id};@evil.example/click`,
    `/v1/ads/${ad.id}@evil.example/click`,
    `/v1/ads/${ad.id.toUpperCase()}/click`,
    `/v1/ads/${"x".repeat(190)}/click`,
    "/v1/ads/__proto__/click",
    "/v1/ads/constructor/click",
    "/v1/ads/%ff/click",
    "/v1/ads//click",
    `/v1/ads/${newId("ad")}/click`,
    `/v1/ads/${unapproved.id}/click`,
    `/v1/ads/${unapproved.id}/click?url=${EVIL}`,
    `/v1//ads/${ad.id}/click`,
    `/v1/ads/${ad.id}/click/`,
    `/v1/ads/${ad.id}/click/..//evil.example`,
    `/v1/ads/${ad.id}/click//evil.example`,
    `/v1/ads/${ad.id}/click%2f%2fevil.example`,
    `/v1/ads/${ad.id}/CLICK`,
    "evil.example:443",
  ])("leads nowhere for what is no ad's link, and repeats none of it in a page: %s", async (target) => {
    const { status, leads, answer } = await follow(target);

    expect(leads).toEqual([]);
    expect([400, 404, 414]).toContain(status);
    expect(answer).not.toContain("evil");
  });

  it.each([
    ["HEAD", 302, [TARGET]],
    ["OPTIONS", 204, []],
    ["POST", 405, []],
    ["PUT", 405, []],
    ["DELETE", 405, []],
    ["TRACE", 405, []],
    ["CONNECT", 0, []],
    ["get", 400, []],
  ])("answers %s with %i", async (method, status, leads) => {
    expect(await follow(CLICK, { method })).toMatchObject({ status, leads });
  });

  it("leads there with a long query, and nowhere for a long id", async () => {
    expect(await follow(`${CLICK}?${LONG}`)).toMatchObject({ status: 302, leads: [TARGET] });
    expect(await follow(`/v1/ads/${LONG}/click`)).toMatchObject({ status: 404, leads: [] });
  });

  it.each([{ Host: "evil.example" }, { host: "" }])(
    "leads nowhere else with a second host, or none: %j",
    async (headers) => {
      expect([[], [TARGET]]).toContainEqual((await follow(CLICK, { headers })).leads);
    },
  );
});
