import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const ad = await anApprovedAd(service, publisher);
const ids: Readonly<Record<string, string>> = {
  workspaceId: publisher.workspace.id,
  adId: ad.id,
  tierId: ad.tier.id,
  fieldId: (await aField(publisher)).id,
  advertiserId: ad.subscription.advertiser.id,
  sessionId: ad.checkout.sessionId,
};

const SAME = ["content-type", "content-length", "cache-control", "vary", "etag", "ratelimit-limit"];

const reading = listEndpoints(managementContract).filter(({ method }) => method === "GET");
const others = ["/v1/checkout-sessions/{sessionId}/billing", "/v1/openapi.json", "/v1/docs/", "/sign-in"];

it.each([...reading.map(({ path }) => `/v1${path}`), ...others])(
  "answers HEAD of %s as GET, without the body",
  async (route) => {
    const path = route.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "nothing");
    const { caller } = publisher.person;

    const get = await caller.request("GET", path);
    const head = await caller.request("HEAD", path);

    expect([head.status, head.text]).toEqual([get.status, ""]);
    for (const name of SAME) {
      // A stream has no length that is known before its end.
      if (name === "content-length" && get.headers.has("transfer-encoding")) continue;
      // Errors repeat the id of their request, and ids grow in length.
      if (name === "content-length" && get.status !== 200) continue;
      expect(head.headers.get(name), name).toBe(get.headers.get(name));
    }
  },
);

it("answers HEAD on every route that answers GET, but for the sign-in's, which have effects", () => {
  const routes = new Set(service.routes.map(({ method, url }) => `${method} ${url}`));
  const lacking = service.routes.filter(
    ({ method, url }) => method === "GET" && !routes.has(`HEAD ${url}`) && !url.startsWith("/api/auth/"),
  );

  expect(lacking).toEqual([]);
});

it("refuses HEAD as it refuses GET", async () => {
  const path = `${publisher.path}/tiers`;
  const nobody = await fetch(`${service.origin}${path}`, { method: "HEAD" });
  const missing = await publisher.caller.request("HEAD", `${path}/nothing`);

  expect([nobody.status, missing.status]).toEqual([401, 404]);
});
