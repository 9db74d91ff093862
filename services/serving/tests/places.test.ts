import { afterEach, expect, it } from "vitest";
import { newKey } from "#libs/domain/api-key.ts";
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
