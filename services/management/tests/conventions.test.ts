import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { tier } from "#libs/contract/tiers.ts";
import { type IdKind, isId, newId } from "#libs/domain/ids.ts";
import { envelope } from "./envelope.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const ad = await anApprovedAd(service, publisher);
const claim = await aField(publisher);
const price = { amount: 4900, intervalCount: 1, currency: "usd" };
const gold = { name: "Gold", weight: 3, initialPrices: [price] };

/** An answer of every endpoint that reads something of the workspace, but what needs a signed-in person. */
async function everythingThatIsRead() {
  const ids: Record<string, string> = {
    workspaceId: publisher.workspace.id,
    adId: ad.id,
    tierId: ad.tier.id,
    fieldId: claim.id,
    advertiserId: ad.subscription.advertiser.id,
    sessionId: ad.checkout.sessionId,
  };
  const reading = listEndpoints(managementContract).filter(({ method }) => method === "GET");
  const answers = await Promise.all(
    reading.map(async (endpoint) => {
      const filled = endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "nothing");
      return await publisher.person.caller.request("GET", `/v1${filled}`);
    }),
  );
  const isJson = ({ headers }: { headers: Headers }) =>
    headers.get("content-type")?.startsWith("application/json") === true;
  return answers
    .filter((answer) => answer.status === 200 && isJson(answer))
    .map(({ text }): unknown => JSON.parse(text));
}

/** Every value in an answer, however deep, with its key. */
function valuesIn(value: unknown, key = ""): [key: string, value: unknown][] {
  if (typeof value !== "object" || value === null) return [[key, value]];
  return Object.entries(value).flatMap(([name, inner]) => valuesIn(inner, Array.isArray(value) ? key : name));
}

it("gives everything a prefixed id of its kind", () => {
  const ids: [IdKind, string | undefined][] = [
    ["workspace", publisher.workspace.id],
    ["apiKey", publisher.key.id],
    ["tier", ad.tier.id],
    ["price", ad.tier.prices[0]?.id],
    ["field", claim.id],
    ["ad", ad.id],
    ["subscription", ad.subscription.id],
    ["advertiser", ad.subscription.advertiser.id],
  ];

  for (const [kind, id] of ids) expect(isId(kind, id ?? ""), `${kind} ${id}`).toBe(true);
});

it("answers 404 to a malformed id as to one that does not exist, naming what is missing", async () => {
  const neighbour = await aPublisher(service, "Another Weekly");
  const theirs = {
    ads: newId("ad"),
    tiers: (await aTier(neighbour)).id,
    fields: (await aField(neighbour)).id,
  };

  for (const [kind, said] of [
    ["ads", "Ad"],
    ["tiers", "Tier"],
    ["fields", "Field"],
  ] as const) {
    for (const id of [theirs[kind], "nothing", "%00", "ad_01", "x".repeat(90)]) {
      const refusal = await caller.refused(404, "GET", `${path}/${kind}/${id}`);
      expect(refusal).toEqual({
        defined: true,
        code: "NOT_FOUND",
        status: 404,
        message: `${said} not found.`,
        data: { requestId: expect.any(String) },
      });
    }
  }
});

it("writes every instant in UTC with milliseconds", async () => {
  const instants = (await everythingThatIsRead())
    .flatMap((answer) => valuesIn(answer))
    .filter(
      ([key, value]) =>
        value !== null &&
        typeof value !== "boolean" &&
        key !== "chargeAt" &&
        /(At|^date|PeriodStart|PeriodEnd|Since|Until)$/.test(key),
    );

  expect(instants.length).toBeGreaterThan(50);
  for (const [key, value] of instants) {
    expect(value, key).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  }
});

it("refuses what an answer has and a body has not: nobody makes an id or an archived price", async () => {
  const { data } = await caller.refused(422, "POST", `${path}/tiers`, {
    ...gold,
    id: "tier_mine",
    workspaceId: "ws_mine",
    initialPrices: [{ ...price, isActive: false, discount: 5 }],
  });

  expect(data?.reason).toBe("UNKNOWN_KEY");
  expect(Object.keys(data?.fieldErrors ?? {})).toEqual([
    "initialPrices.0.isActive",
    "initialPrices.0.discount",
    "id",
    "workspaceId",
  ]);
});

it.each([
  ["malformed JSON", 422, "POST", "/tiers", "{", {}],
  ["a body of another type", 415, "POST", "/tiers", "<tier/>", { "content-type": "application/xml" }],
  ["a body over a mebibyte", 413, "POST", "/tiers", `{"name":"${"x".repeat(1_048_576)}"}`, {}],
  ["an unknown path", 404, "GET", "/nowhere", undefined, {}],
  ["a wrong method", 405, "PUT", "/tiers", {}, {}],
] as const)("answers %s with %i in the envelope", async (_what, status, method, to, body, headers) => {
  const answer = await caller.request(method, `${path}${to}`, body, headers);

  const said = envelope.parse(JSON.parse(answer.text));
  expect([answer.status, said.status, said.defined]).toEqual([
    status,
    status,
    status === 422 || status === 404,
  ]);
  if (status === 422)
    expect(said.data).toMatchObject({ formErrors: ["The body is not valid JSON."], fieldErrors: {} });
  if (status === 405)
    expect(answer.headers.get("allow")?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
});

it("names what is wrong by its dotted path", async () => {
  const { data, message } = await caller.refused(422, "POST", `${path}/tiers`, {
    ...gold,
    name: "",
    initialPrices: [price, { ...price, amount: -1 }],
  });

  expect(message).toBe("INPUT_VALIDATION_FAILED");
  expect(Object.keys(data?.fieldErrors ?? {}).toSorted()).toEqual(["initialPrices.1.amount", "name"]);
});

it("has an id of the request on every answer, never one that the caller chose", async () => {
  const answers = [
    await caller.request("GET", path, undefined, { "x-request-id": "trace-1" }),
    await caller.request("GET", path),
    await caller.request("GET", `${path}/nowhere`),
    await caller.request("POST", `${path}/tiers`, "{"),
    await publisher.person.caller.request("GET", "/api/auth/get-session"),
  ];

  const ids = answers.map(({ headers }) => headers.get("x-request-id"));
  expect(ids[0]).not.toBe("trace-1");
  expect(new Set(ids).size).toBe(answers.length);
  for (const id of ids) expect(id).toMatch(/^[\w.:-]+$/);
});

it("takes no text for a number in a body, and digits for one in a query", async () => {
  for (const wrong of [
    { weight: "3" },
    { order: "1" },
    { order: 1.5 },
    { order: 2 ** 53 },
    { isActive: "true" },
  ]) {
    expect(await caller.invalid("POST", `${path}/tiers`, { ...gold, ...wrong })).toEqual(Object.keys(wrong));
  }
  expect((await caller.request("GET", `${path}/tiers?page=1&perPage=10`)).status).toBe(200);
});

it("takes 0 and amounts from the smallest charge to eight digits, as the payment processor does", async () => {
  for (const amount of [0, 50, 99_999_999]) {
    const made = await caller.ok(tier, "POST", `${path}/tiers`, {
      ...gold,
      initialPrices: [{ ...price, amount }],
    });
    expect(made.prices[0]?.amount).toBe(amount);
  }
  for (const amount of [-1, 0.5, 1, 49, 100_000_000, 2 ** 53, "4900", null]) {
    expect(
      await caller.invalid("POST", `${path}/tiers`, {
        ...gold,
        initialPrices: [{ ...price, amount }],
      }),
    ).toEqual(["initialPrices.0.amount"]);
  }
});

it("takes the ISO 4217 codes in lower case of all that the payment processor takes, those without a smaller unit included", async () => {
  for (const currency of ["usd", "eur", "jpy", "krw", "kwd"]) {
    const made = await caller.ok(tier, "POST", `${path}/tiers`, {
      ...gold,
      initialPrices: [{ ...price, currency }],
    });
    expect(made.prices[0]?.currency).toBe(currency);
  }
  for (const currency of ["USD", "us", "dollar", "zzz", "", null, 840, "cuc", "kpw", "xdr"]) {
    const body = { ...gold, initialPrices: [{ ...price, currency }] };
    expect(await caller.invalid("POST", `${path}/tiers`, body)).toEqual(["initialPrices.0.currency"]);
  }
});
