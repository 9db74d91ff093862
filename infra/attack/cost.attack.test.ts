import { expect, it } from "vitest";
import { ad as adShape } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { contract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { workspaceSettings } from "#libs/contract/settings.ts";
import { newId } from "#libs/domain/ids.ts";
import { LONGEST_IN_KIT, MOST_IN_KIT } from "#libs/domain/media-kit.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../services/management/tests/story.ts";
import { startInstallation } from "../../services/standalone/tests/installation.ts";
import { viewAds } from "../../services/standalone/tests/visitor.ts";
import { peopleRequests } from "./attacked-requests.ts";
import { type Cost, CostMeter } from "./cpu-cost.ts";
import type { RawRequest } from "./raw-request.ts";

const ADS = 12;
/** With the key of the field and the name of the ad: little under the limit of an ad's values. */
const STORY = "💥".repeat(7_900);
const MANY_PRICES = Array.from({ length: 50 }, (_, index) => ({
  amount: 4900,
  interval: "Day",
  intervalCount: index + 1,
  currency: "usd",
}));
const JSON_TYPE = { "content-type": "application/json" };

/** How many times the cheapest request one may cost, by what it has to do. As in `libs/contract/BEHAVIOUR.md`, "Cost". */
const MOST_TIMES = { memory: 100, database: 300, sale: 1_500, password: 4_000 } as const;
/** These hash a password, also for strangers. */
const HASHES = new Set(["/api/auth/sign-in/email", "/api/auth/sign-up/email", "/api/auth/reset-password"]);
/** Bytes answered per byte sent: an answer of 1 MiB to a request of 110 bytes. */
const MOST_ANSWERED_PER_BYTE = 10_000;

type Kind = keyof typeof MOST_TIMES;
type Asked = readonly [name: string, kind: Kind, make: (n: number) => RawRequest];

const get = (target: string, headers = {}): RawRequest => ({ method: "GET", target, headers });
const post = (target: string, body: unknown, headers = {}): RawRequest => ({
  method: "POST",
  target,
  headers: { ...JSON_TYPE, ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body),
});

async function aLargeWorkspace(origin: string) {
  const publisher = await aPublisher({ origin });
  const { caller, path, workspace } = publisher;
  const story = await aField(publisher, { name: "Story", type: "Textarea" });
  await aField(publisher, { name: "Logo", type: "Image" });
  const { prices } = await aTier(publisher);
  // With little under what the tiers on sale may take, most of it prices, which are the dearest part of their page.
  for (let index = 0; index < 44; index += 1) await aTier(publisher, { initialPrices: MANY_PRICES });
  const faq = Array.from({ length: MOST_IN_KIT.questions }, () => ({
    question: "&".repeat(LONGEST_IN_KIT.question),
    answer: "&".repeat(LONGEST_IN_KIT.answer),
  }));
  await publisher.person.caller.ok(workspaceSettings, "PATCH", `${path}/settings`, {
    mediaKit: {
      description: "&".repeat(LONGEST_IN_KIT.description),
      audience: "&".repeat(LONGEST_IN_KIT.audience),
      faq,
    },
  });
  const creative = {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
    meta: [{ fieldId: story.id, value: STORY }],
  };
  let checkout = await aPaidCheckout({ origin }, publisher, prices[0]?.id ?? "");
  const live = checkout;
  const adIds: string[] = [];
  while (adIds.length < ADS) {
    const { id } = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
    await caller.ok(adShape, "POST", `${path}/ads/${id}/approve`);
    adIds.push(id);
    checkout = await aPaidCheckout({ origin }, publisher, prices[0]?.id ?? "");
  }
  const pending = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, creative);
  return {
    workspaceId: workspace.id,
    slug: workspace.slug,
    adIds,
    pendingId: pending.id,
    checkout,
    live,
    creative,
    priceId: prices[0]?.id,
  };
}

function publicRequests(large: Awaited<ReturnType<typeof aLargeWorkspace>>): Asked[] {
  const { workspaceId, slug, adIds, pendingId, checkout, live, creative, priceId } = large;
  const workspace = `/v1/workspaces/${workspaceId}`;
  const ads = `${workspace}/ads/serving`;
  const anAd = (n: number) => `/v1/ads/${adIds[n % ADS]}`;
  const ids = (kind: "ad" | "tier", count: number) => Array.from({ length: count }, () => newId(kind)).join();
  const checkoutPage = `/advertise/${slug}/checkout/${checkout.sessionId}`;
  const report = `/advertise/${slug}/checkout/${live.sessionId}/report`;
  const form = { "content-type": "application/x-www-form-urlencoded" };
  const upload = { fileName: "logo.png", contentType: "image/png", contentLength: 1_000 };
  const anyBody = "x".repeat(64_000);
  return [
    ["serving.ads, 50 ads, cached", "memory", () => get(`${ads}?count=50`)],
    ["serving.ads, 50 ads", "memory", (n) => get(`${ads}?count=50&x=${n}`)],
    ["serving.ads, 50 ads with proofs", "memory", (n) => get(`${ads}?count=50&proof=1&x=${n}`)],
    ["serving.ads, not modified", "memory", (n) => get(`${ads}?count=50&x=${n}`, { "if-none-match": "*" })],
    [
      "serving.ads, many tags",
      "memory",
      (n) => get(`${ads}?x=${n}`, { "if-none-match": '"a",'.repeat(1_020) }),
    ],
    ["serving.ads, 200 excluded", "memory", () => get(`${ads}?excludeIds=${ids("ad", 200)}`)],
    ["serving.ads, 100 tiers", "memory", () => get(`${ads}?tierId=${ids("tier", 100)}`)],
    ["serving.ads, another filter", "memory", (n) => get(`${ads}?weight[gte]=0.${n}`)],
    ["serving.ads, 50 of another filter", "memory", (n) => get(`${ads}?count=50&weight[gte]=0.${n}`)],
    [
      "serving.ads, unknown workspace",
      "database",
      () => get(`/v1/workspaces/${newId("workspace")}/ads/serving`),
    ],
    ["serving.ads, no id", "memory", (n) => get(`/v1/workspaces/${n}/ads/serving`)],
    ["serving.tiers", "memory", (n) => get(`${workspace}/tiers/serving?x=${n}`)],
    ["serving.impression", "database", (n) => post(`${anAd(n)}/impressions`, "{}")],
    ["serving.impression, large body", "database", (n) => post(`${anAd(n)}/impressions`, anyBody)],
    ["serving.impression, unknown ad", "database", () => post(`/v1/ads/${newId("ad")}/impressions`, "{}")],
    [
      "serving.impressions, 50 ads",
      "database",
      (n) =>
        post("/v1/impressions", {
          ads: Array.from({ length: 50 }, (_, nth) => ({ id: adIds[(n + nth) % ADS] })),
        }),
    ],
    [
      "serving.impressions, 50 ads of a page with endless names",
      "database",
      (n) =>
        post(`/v1/impressions?referrer=${"+".repeat(3_000)}`, {
          ads: Array.from({ length: 50 }, (_, nth) => ({ id: adIds[(n + nth) % ADS] })),
          placement: `${n}${"💥".repeat(900)}`,
          page: `/${n}${"%C3%BC".repeat(900)}`,
        }),
    ],
    [
      "serving.impressions, 50 unknown ads",
      "database",
      () => post("/v1/impressions", { ads: Array.from({ length: 50 }, () => ({ id: newId("ad") })) }),
    ],
    // Strangers make these, and no snapshot has them.
    [
      "serving.impression, ad that nobody approved",
      "database",
      () => post(`/v1/ads/${pendingId}/impressions`, "{}"),
    ],
    ["script-free link, ad that nobody approved", "database", () => get(`/v1/ads/${pendingId}/click`)],
    [
      "serving.click, endless names and another user agent",
      "database",
      (n) =>
        post(
          `${anAd(n)}/clicks?placement=${n}${"+%00".repeat(1_000)}&page=/${n}${"%2B;".repeat(1_000)}`,
          "{}",
          {
            "user-agent": `Mozilla/5.0 ${n} ${"Android tv".repeat(50)}`,
            referer: `https://site.example/${"+".repeat(4_000)}`,
          },
        ),
    ],
    ["serving.click", "database", (n) => post(`${anAd(n)}/clicks`, "{}")],
    ["script-free link", "database", (n) => get(`${anAd(n)}/click`)],
    ["script-free image", "database", (n) => get(`${anAd(n)}/impression.gif`)],
    [
      "checkout.create",
      "sale",
      (n) => post(`${workspace}/checkout-sessions`, { tierPriceId: priceId, email: `${n}@example.com` }),
    ],
    [
      "checkout.create, unknown price",
      "database",
      () => post(`${workspace}/checkout-sessions`, { tierPriceId: newId("price") }),
    ],
    ["checkout.get", "sale", () => get(checkout.path)],
    ["checkout.get, unknown", "sale", (n) => get(`/v1/checkout-sessions/cs_test_${n}`)],
    ["checkout.submit", "sale", () => post(`${checkout.path}/ad`, creative)],
    [
      "checkout.submit, large body",
      "sale",
      () =>
        post(`${checkout.path}/ad`, {
          ...creative,
          meta: Array.from({ length: 200 }, () => ({ fieldId: "x", value: "y".repeat(4_000) })),
        }),
    ],
    ["checkout.revision", "sale", () => get(`${checkout.path}/revision`)],
    ["checkout.upload", "sale", () => post(`${checkout.path}/uploads`, upload)],
    ["page of an offer", "sale", () => get(`/advertise/${slug}`)],
    ["page of a checkout", "sale", () => get(checkoutPage)],
    ["report of a checkout", "sale", () => get(`${report}?from=2024-01-01&split=country`)],
    ["report's file of a checkout", "sale", () => get(`${report}.csv?from=2024-01-01`)],
    [
      "form of a checkout",
      "sale",
      () => ({
        method: "POST",
        target: checkoutPage,
        headers: { ...form, origin: "null" },
        body: `name=x&meta.story=${'"'.repeat(130_000)}`,
      }),
    ],
    [
      "form of a lost link",
      "sale",
      (n) => ({
        method: "POST",
        target: `/advertise/${slug}/link`,
        headers: form,
        body: `email=${n}@example.com`,
      }),
    ],
    ["openapi.json", "memory", () => get("/v1/openapi.json")],
    ["page of the reference", "memory", () => get("/v1/docs/")],
    ["dashboard", "memory", () => get("/")],
    ["embed script", "memory", () => get("/embed.js")],
    ["unknown path", "memory", (n) => get(`/nothing/${n}`)],
    ["readiness", "database", () => get("/readyz")],
    [
      "webhook with a wrong signature",
      "database",
      () =>
        post("/v1/webhooks/stripe", `{"a":"${"x".repeat(250_000)}"}`, { "stripe-signature": "t=1,v1=aa" }),
    ],
    ["brackets", "database", () => post("/api/auth/sign-out", `${"[".repeat(7_000)}${"]".repeat(7_000)}`)],
    [
      "sign-up of a stranger",
      "password",
      (n) =>
        post("/api/auth/sign-up/email", {
          name: "Somebody",
          email: `${n}@example.com`,
          password: "correct horse battery",
        }),
    ],
    ...peopleRequests().map(({ name, method, path, body }): Asked => {
      const kind = HASHES.has(path) ? "password" : "database";
      return [
        name,
        kind,
        (n) => (method === "GET" ? get(path) : post(path, { ...body, email: `${n}@example.com` })),
      ];
    }),
  ];
}

it("holds each public request within a multiple of what the cheapest costs", async () => {
  const installation = await startInstallation({
    dataDir: await aFolder(),
    environment: {
      TRUST_PROXY: "127.0.0.1",
      SIGN_UP: "open",
      CHECKOUTS_PER_MINUTE: "1000",
      SUBMISSIONS_PER_MINUTE: "100000",
      CHECKOUT_READS_PER_MINUTE: "100000",
    },
  });
  const large = await aLargeWorkspace(installation.url);
  await expect
    .poll(() => viewAds(installation.url, large.workspaceId), { timeout: 20_000 })
    .toHaveLength(ADS);
  const requests = publicRequests(large);
  const meter = new CostMeter(installation);
  const cheapest = () => get(`/v1/workspaces/${large.workspaceId}/ads/serving?tierId=`);
  let { cpuMs: cheapestMs } = await meter.measure(cheapest);

  const dear: string[] = [];
  for (const [name, kind, make] of requests) {
    let cost = await meter.measure(make);
    if (cost.cpuMs / cheapestMs > MOST_TIMES[kind]) {
      // A machine's speed changes from minute to minute: both are measured again, one after the other.
      ({ cpuMs: cheapestMs } = await meter.measure(cheapest));
      cost = await meter.measure(make);
    }
    const times = cost.cpuMs / cheapestMs;
    report(name, kind, cost, times);
    if (times > MOST_TIMES[kind]) dear.push(`${name}: ${Math.round(times)} times the cheapest`);
    if (cost.answered / cost.sent > MOST_ANSWERED_PER_BYTE)
      dear.push(`${name}: answers ${cost.answered} bytes`);
    if (cost.status === 429 || cost.status >= 500)
      dear.push(`${name}: was not measured but answered ${cost.status}`);
  }

  expect(dear).toEqual([]);
  const asked = new Set(requests.map(([name]) => name.split(",")[0]));
  const endpoints = listEndpoints(contract).filter(({ access }) => access.kind === "public");
  expect(endpoints.map(({ name }) => name).filter((name) => !asked.has(name))).toEqual([]);
}, 600_000);

function report(name: string, kind: Kind, { cpuMs, status, answered, sent }: Cost, times: number): void {
  const figures = `${cpuMs.toFixed(2)} ms, ${times.toFixed(1)} times (${kind}), ${sent} bytes → ${answered}`;
  process.stdout.write(`${name}: ${status}, ${figures}\n`);
}
