import { expect, expectTypeOf, it } from "vitest";
import { createPlacardClient, isDefinedError, ORPCError, safe } from "./index.ts";

const WORKSPACE = "ws_01kahm4sw4fksra52s8bd8xkd1";
const seen: Request[] = [];
let answer = () => Response.json({ success: true });

/** The base with a slash at its end, as people write it. */
const client = createPlacardClient({
  baseUrl: "https://ads.example.com/v1/",
  apiKey: "plc_of_these_tests_only",
  headers: { "x-request-id": "trace-1" },
  fetch: async (request) => {
    seen.push(request);
    return answer();
  },
});

async function lastRequest() {
  const request = seen.at(-1);
  if (request === undefined) throw new Error("nothing was sent");
  return {
    method: request.method,
    url: decodeURIComponent(request.url),
    headers: request.headers,
    body: await request.text(),
  };
}

it("sends the key and the given headers, ids in the path and the rest in the body", async () => {
  await client.fields.reorder(
    { workspaceId: WORKSPACE, fields: [{ id: "field_1", order: 2 }] },
    { context: { idempotencyKey: "order-1" } },
  );

  const { method, url, headers, body } = await lastRequest();
  expect([method, url]).toEqual([
    "POST",
    `https://ads.example.com/v1/workspaces/${WORKSPACE}/fields/reorder`,
  ]);
  expect(JSON.parse(body)).toEqual({ fields: [{ id: "field_1", order: 2 }] });
  expect(Object.fromEntries(headers)).toMatchObject({
    authorization: "Bearer plc_of_these_tests_only",
    "content-type": "application/json",
    "idempotency-key": "order-1",
    "x-request-id": "trace-1",
  });
});

it("sends neither a body nor a content type where there is nothing to say", async () => {
  await client.members.leave({ workspaceId: WORKSPACE });

  const { body, headers } = await lastRequest();
  expect([body, headers.get("content-type"), headers.get("idempotency-key")]).toEqual(["", null, null]);
});

it("puts what a GET takes into the query, bands in brackets", async () => {
  answer = () => Response.json({ ads: [] });

  await client.serving.ads({
    workspaceId: WORKSPACE,
    weight: { gte: 1.5, lt: 3 },
    count: 5,
    tierId: "tier_1,tier_2",
  });

  expect((await lastRequest()).url).toBe(
    `https://ads.example.com/v1/workspaces/${WORKSPACE}/ads/serving?weight[gte]=1.5&weight[lt]=3&count=5&tierId=tier_1,tier_2`,
  );
});

it("sends the proof of an ad with an event in the address, where the service reads it", async () => {
  answer = () => Response.json({ success: true });

  await client.serving.impression({ adId: "ad_1" }, { context: { proof: "a_proof-of_22-digits" } });
  const proven = await lastRequest();
  await client.serving.click({ adId: "ad_1" });

  expect([proven.url, proven.body]).toEqual([
    "https://ads.example.com/v1/ads/ad_1/impressions?proof=a_proof-of_22-digits",
    "",
  ]);
  expect((await lastRequest()).url).toBe("https://ads.example.com/v1/ads/ad_1/clicks");
});

it("throws what the contract declares as a defined error with its own type of data", async () => {
  const data = { formErrors: ["Only a pending ad can be approved."], fieldErrors: {} };
  answer = () =>
    Response.json(
      { defined: true, code: "CONFLICT_FIELD", status: 409, message: "CONFLICT_FIELD", data },
      { status: 409 },
    );

  const { error } = await safe(client.ads.approve({ workspaceId: WORKSPACE, adId: "ad_1" }));

  if (!isDefinedError(error) || error.code !== "CONFLICT_FIELD") throw new Error("not a defined conflict");
  expectTypeOf(error.data.fieldErrors).toEqualTypeOf<Record<string, string[]>>();
  expect([error.status, error.data]).toEqual([409, data]);
});

it.each([
  [413, "PAYLOAD_TOO_LARGE"],
  [502, "PAYMENT_PROCESSOR_FAILED"],
  [503, "SERVICE_UNAVAILABLE"],
])("throws a %i as an error that is not a defined one", async (status, code) => {
  answer = () => Response.json({ defined: false, code, status, message: "A sentence." }, { status });

  const { error } = await safe(client.ads.pause({ workspaceId: WORKSPACE, adId: "ad_1" }));

  expect(error).toBeInstanceOf(ORPCError);
  expect(error).toMatchObject({ code, status, defined: false, message: "A sentence." });
});

it("throws an answer of somebody in between as an error of that status", async () => {
  answer = () =>
    new Response("<h1>Bad gateway</h1>", { status: 502, headers: { "content-type": "text/html" } });

  const { error } = await safe(client.workspaces.list());

  expect(error).toMatchObject({ status: 502, defined: false });
});
