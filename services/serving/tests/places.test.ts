import { afterEach, describe, expect, it, vi } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
import { readCountries } from "../countries/country-table.ts";
import { EXAMPLE } from "../countries/tests/mmdb.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { FIREFOX, openRig, type RigOptions, type ServingRig } from "./serving-rig.ts";

const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1";
const key = newKey("tracking");
const ad = anAd();
const snapshot = aSnapshot({ ads: [ad], trackingKeys: [key.hash.toString("base64url")] });
const QUERY = "placement=sidebar&page=https%3A%2F%2Fsite.example%2Fnews%3Fx&referrer=search.example";

let rig: ServingRig;
afterEach(() => rig.close());

async function open(options: RigOptions = {}): Promise<void> {
  rig = await openRig({ snapshots: [snapshot], countryHeader: "CF-IPCountry", ...options });
}

async function send(path: string, { method = "POST", body, headers = {} }: Partial<RequestInit> = {}) {
  const response = await fetch(`${rig.url}${path}`, {
    method,
    redirect: "manual",
    headers: { "user-agent": FIREFOX, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, body: await response.text() };
}

/** The places of what is stored. */
async function places(): Promise<unknown[]> {
  return (await rig.storedEvents()).map(({ placement, path, referrer, country, device, browser }) =>
    [placement, path, referrer, country, device, browser].join("|"),
  );
}

it.each([
  ["an impression", "POST", `/ads/${ad.id}/impressions`],
  ["a click", "POST", `/ads/${ad.id}/clicks`],
  ["a link", "GET", `/ads/${ad.id}/click`],
  ["an image", "GET", `/ads/${ad.id}/impression.gif`],
])("records where %s happened", async (_what, method, path) => {
  await open();

  await send(`${path}?${QUERY}`, { method, headers: { "cf-ipcountry": "DE" } });

  expect(await places()).toEqual(["sidebar|/news|search.example|DE|desktop|Firefox"]);
});

it("records where the ads of a page were seen, by its body or its query, and refuses none for a place that is none", async () => {
  await open();
  const ads = [{ id: ad.id }];

  await send("/impressions", {
    body: JSON.stringify({ ads, placement: "top", page: "/a", referrer: "b.example" }),
  });
  await send(`/impressions?${QUERY}`, { body: JSON.stringify({ ads }) });
  const odd = await send("/impressions", {
    body: JSON.stringify({ ads, placement: 5, page: [], referrer: {} }),
    headers: { "user-agent": IPHONE },
  });

  expect(odd.status).toBe(200);
  expect(await places()).toEqual([
    "top|/a|b.example||desktop|Firefox",
    "sidebar|/news|search.example||desktop|Firefox",
    "||||phone|Safari",
  ]);
});

it("records what a server says of the place of each event, and refuses none for a place that is none", async () => {
  await open();
  const event = { adId: ad.id, kind: "impression" };
  const events = [
    { ...event, placement: "mail", path: "/issue/7?x", country: "fr", userAgent: IPHONE },
    { ...event, placement: 5, path: null, country: "France" },
  ];

  const answer = await send(`/workspaces/${snapshot.workspaceId}/events`, {
    body: JSON.stringify({ events }),
    headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json", "cf-ipcountry": "DE" },
  });

  expect(JSON.parse(answer.body)).toEqual({ accepted: 2, refused: [] });
  expect((await places()).sort()).toEqual(["mail|/issue/7||FR|phone|Safari", "||||unknown|"]);
});

it("believes the country of a trusted proxy alone, and of none where no header is named", async () => {
  await open({ trustProxy: false });
  await send(`/ads/${ad.id}/impressions`, { headers: { "cf-ipcountry": "DE" } });
  const direct = await places();
  await rig.close();
  await open({ countryHeader: undefined });

  await send(`/ads/${ad.id}/impressions`, { headers: { "cf-ipcountry": "DE" } });

  expect([...direct, ...(await places())]).toEqual(["||||desktop|Firefox", "||||desktop|Firefox"]);
});

describe("with a file of countries", () => {
  const countries = readCountries(EXAMPLE);
  const BRITISH = "81.2.69.160";
  const JAPANESE = "2001:218::1";
  const countriesStored = async () => (await rig.storedEvents()).map(({ country }) => country);

  it.each([
    ["an impression", "POST", `/ads/${ad.id}/impressions`],
    ["a click", "POST", `/ads/${ad.id}/clicks`],
    ["a link", "GET", `/ads/${ad.id}/click`],
    ["an image", "GET", `/ads/${ad.id}/impression.gif`],
  ])("records the country of %s by the visitor's address behind the proxy", async (_what, method, path) => {
    await open({ countries, countryHeader: undefined });

    await send(path, { method, headers: { "x-forwarded-for": `${JAPANESE}, ${BRITISH}` } });

    expect(await countriesStored()).toEqual(["GB"]);
  });

  it("records the country of each ad of a page, and also that of a visitor who asks for privacy", async () => {
    await open({ countries });

    await send("/impressions", {
      body: JSON.stringify({ ads: [{ id: ad.id }, { id: ad.id }] }),
      headers: { "x-forwarded-for": JAPANESE, "sec-gpc": "1" },
    });

    expect(await countriesStored()).toEqual(["JP", "JP"]);
  });

  it("believes a trusted proxy more than the file, and asks the file where the proxy knows no country", async () => {
    await open({ countries });
    const path = `/ads/${ad.id}/impressions`;

    for (const country of ["DE", "XX", ""])
      await send(path, { headers: { "x-forwarded-for": BRITISH, "cf-ipcountry": country } });
    await send(path, { headers: { "x-forwarded-for": "192.0.2.7" } });

    expect(await countriesStored()).toEqual(["DE", "GB", "GB", ""]);
  });

  it("goes by the address of the connection where no proxy is trusted", async () => {
    await open({ countries, trustProxy: false });

    await send(`/ads/${ad.id}/impressions`, {
      headers: { "x-forwarded-for": BRITISH, "cf-ipcountry": "DE" },
    });

    expect(await countriesStored()).toEqual([""]);
  });

  it("records the country of the address that a server reports, unless the server names one", async () => {
    await open({ countries });
    const event = { adId: ad.id, kind: "impression" };
    const events = [
      { ...event, ip: BRITISH },
      { ...event, ip: BRITISH, country: "FR" },
      { ...event, ip: JAPANESE, country: "Japan" },
      event,
    ];

    await send(`/workspaces/${snapshot.workspaceId}/events`, {
      body: JSON.stringify({ events }),
      // The server's own address.
      headers: {
        authorization: `Bearer ${key.key}`,
        "content-type": "application/json",
        "x-forwarded-for": "216.160.83.57",
      },
    });

    expect(await countriesStored()).toEqual(["GB", "FR", "JP", ""]);
  });

  it("looks no country up of an event that is not stored", async () => {
    const of = vi.fn(() => "GB");
    await open({ countries: { of }, limits: { impressionsPerMinute: 1 } });
    const path = `/ads/${ad.id}/impressions`;

    await send(path, { headers: { "x-forwarded-for": BRITISH } });
    await send(path, { headers: { "x-forwarded-for": BRITISH } });
    await send("/ads/ad_unknown/impressions", { headers: { "x-forwarded-for": BRITISH } });

    expect(of.mock.calls).toEqual([[BRITISH]]);
    expect(await countriesStored()).toEqual(["GB"]);
  });
});

it("records neither path nor referrer where the workspace does not want them", async () => {
  await open({ snapshots: [{ ...snapshot, recordPages: false }] });

  await send(`/ads/${ad.id}/impressions?${QUERY}`);

  expect(await places()).toEqual(["sidebar||||desktop|Firefox"]);
});

it("makes no name known by events over a limit, or by those of bots", async () => {
  await open({ limits: { impressionsPerMinute: 1 }, now: () => Date.UTC(2026, 10, 21, 12) });
  const path = `/ads/${ad.id}/impressions`;
  await send(`${path}?placement=first`);
  await send(`${path}?placement=second`);
  await send(`${path}?placement=third`, {
    headers: { "x-forwarded-for": "192.0.2.8", "user-agent": "curl/8" },
  });

  await send(`${path}?placement=second`, {
    headers: { "x-forwarded-for": "192.0.2.9", "user-agent": "curl/8" },
  });

  const stored = (await rig.storedEvents()).map(({ placement }) => placement);

  expect(stored).toEqual(["first", "(other)", "(other)"]);
});
