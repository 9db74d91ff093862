import { getContractRouter, isContractProcedure } from "@orpc/contract";
import { afterAll, expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { queryParametersOf } from "#libs/contract/query-form.ts";
import { envelope } from "./envelope.ts";
import { HOSTILE_BODIES, HOSTILE_IDS, HOSTILE_QUERIES, HOSTILE_VALUES } from "./hostile.ts";
import { billed, invoiceOf } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { soundBodies } from "./sound-bodies.ts";
import { aField, anApprovedAd, aPublisher, chargingSettles } from "./story.ts";

// What holds for every endpoint of management, whatever it does. The hostile input comes last, as some of it changes things.
const service = await startManagement({ stats: "real", unlimited: true });
const publisher = await aPublisher(service);
const { caller } = publisher.person;
const ad = await anApprovedAd(service, publisher);
const field = await aField(publisher);
await billed(service, publisher.workspace.id, 1);
const paid = `${publisher.path}/invoices/${await invoiceOf(service, ad.subscription.advertiser.id)}`;
const bodies = soundBodies({ priceId: ad.tier.prices[0]?.id ?? "" });
const endpoints = listEndpoints(managementContract);
const reading = endpoints.filter(({ method }) => method === "GET");
const open = endpoints.filter(({ access }) => access.kind === "public");
const closed = endpoints.filter(({ access }) => access.kind !== "public");
const SITE = { origin: "https://site.example" };

type Ids = Readonly<Record<string, string>>;
/** The workspace exists; what is in it does not. */
const here: Ids = { workspaceId: publisher.workspace.id };
const known: Ids = {
  ...here,
  adId: ad.id,
  tierId: ad.tier.id,
  priceId: ad.tier.prices[0]?.id ?? "",
  fieldId: field.id,
  advertiserId: ad.subscription.advertiser.id,
  sessionId: ad.checkout.sessionId,
};

function fill(route: string, ids = known): string {
  return route.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "nothing");
}

it("knows the endpoints that are meant for browsers", () => {
  expect(open.map(({ name }) => name).toSorted()).toEqual([
    "checkout.create",
    "checkout.get",
    "checkout.revision",
    "checkout.submit",
    "checkout.upload",
  ]);
});

it.each(open)("$name answers the preflight of any site, without credentials", async ({ method, path }) => {
  const response = await fetch(`${service.origin}${fill(`/v1${path}`, here)}`, {
    method: "OPTIONS",
    headers: {
      ...SITE,
      "access-control-request-method": method,
      "access-control-request-headers": "content-type,idempotency-key",
    },
  });

  expect(response.status).toBe(204);
  expect(response.headers.get("access-control-allow-origin")).toBe("*");
  expect(response.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
  const headers = response.headers.get("access-control-allow-headers")?.split(", ");
  expect(headers).toEqual(expect.arrayContaining(["content-type", "idempotency-key"]));
  expect(headers).not.toContain("authorization");
  expect(response.headers.get("access-control-allow-credentials")).toBeNull();
});

it.each(open)("$name lets any site read its answers, refusals too", async ({ method, path }) => {
  const bodies = method === "GET" ? [undefined] : ["{}", "{", undefined];
  for (const body of bodies) {
    const response = await fetch(`${service.origin}${fill(`/v1${path}`, here)}`, {
      method,
      headers: { ...SITE, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body }),
    });

    expect([404, 422]).toContain(response.status);
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-allow-credentials")).toBeNull();
    expect(response.headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    const exposed = response.headers.get("access-control-expose-headers")?.split(", ");
    expect(exposed).toEqual(
      expect.arrayContaining(["x-request-id", "retry-after", "ratelimit-remaining", "idempotent-replayed"]),
    );
  }
});

it.each(closed)("$name stays closed to other sites", async ({ method, path }) => {
  const preflight = await fetch(`${service.origin}${fill(`/v1${path}`, here)}`, {
    method: "OPTIONS",
    headers: { ...SITE, "access-control-request-method": method },
  });
  const asked = await fetch(`${service.origin}${fill(`/v1${path}`, here)}`, {
    method,
    headers: { ...SITE, cookie: publisher.person.cookie },
  });

  expect(preflight.status).toBeGreaterThanOrEqual(400);
  for (const { headers } of [preflight, asked]) {
    expect(headers.get("access-control-allow-origin")).toBeNull();
    expect(headers.get("access-control-allow-credentials")).toBeNull();
  }
  expect(asked.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

const SAME = ["content-type", "content-length", "cache-control", "vary", "etag", "ratelimit-limit"];

const others = ["/v1/checkout-sessions/{sessionId}/billing", "/v1/openapi.json", "/v1/docs/", "/sign-in"];

it.each([...reading.map(({ path }) => `/v1${path}`), ...others])(
  "answers HEAD of %s as GET, without the body",
  async (route) => {
    const path = fill(route);

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

it.each(["ammount", "Amount"])("refunds nothing where the amount is written %s", async (misspelt) => {
  const { data } = await publisher.caller.refused(422, "POST", `${paid}/refunds`, { [misspelt]: 100 });

  expect(data).toMatchObject({
    reason: "UNKNOWN_KEY",
    fieldErrors: { [misspelt]: ["Unknown key. Known here: `amount`, `reason`, `note`."] },
  });
  const { items } = await publisher.caller.ok(pageOf(invoice), "GET", `${publisher.path}/invoices`);
  expect(items.map(({ amountRefunded }) => amountRefunded)).toEqual([0]);
});

it.each(endpoints.filter(({ method }) => method !== "GET"))(
  "$name refuses a key that it does not have, beside those that it has",
  async (endpoint) => {
    const { name, method, path } = endpoint;
    const to = fill(`/v1${path}`, { ...here, sessionId: ad.checkout.sessionId });

    const { data } = await caller.refused(422, method, to, { ...bodies[name], unheardOf: 1 });

    expect([data?.reason, Object.keys(data?.fieldErrors ?? {})]).toEqual(["UNKNOWN_KEY", ["unheardOf"]]);
  },
);

it("names an unknown key inside a list and an object by its dotted path", async () => {
  expect(
    await publisher.caller.invalid("POST", `${publisher.path}/tiers`, {
      ...bodies["tiers.create"],
      initialPrices: [{ amount: 4900, intervalCount: 1, curency: "usd" }],
    }),
  ).toEqual(["initialPrices.0.curency"]);
});

/** Each query parameter of each endpoint that a session may call, with the form that its schema gives it. */
const parameters = endpoints.flatMap(({ name, method, path, access }) => {
  if (method !== "GET" || access.kind === "public") return [];
  const found = getContractRouter(managementContract, name.split("."));
  const input = isContractProcedure(found) ? found["~orpc"].inputSchema : undefined;
  return [...queryParametersOf(input, path)].map(([parameter, form]) => ({ name, path, parameter, form }));
});

it("knows the parameters", () => {
  expect(parameters.map(({ name, parameter }) => `${name} ${parameter}`)).toEqual(
    expect.arrayContaining(["ads.list status", "ads.list tierId", "invoices.list page", "ads.stats days"]),
  );
});

function shapesRefusedFor(form: (typeof parameters)[number]["form"]): string[] {
  if (form === "one") return ["[]", "[0]", "[gte]", "[gte][]"];
  return form === "list" ? ["[x]", "[0][0]"] : ["", "[]", "[0]", "[0][x]"];
}

it.each(parameters)("$name takes $parameter in the form of its schema, and refuses another", async (one) => {
  const { path, parameter, form } = one;
  const shapes = shapesRefusedFor(form);
  const queries = [
    ...shapes.map((shape) => `${parameter}${shape}=1`),
    ...(form === "one" ? [`${parameter}=1&${parameter}=1`] : []),
  ];
  for (const query of queries) {
    expect(await caller.invalid("GET", `${fill(`/v1${path}`, here)}?${query}`), query).toEqual([parameter]);
  }
});

it("refuses a parameter that the endpoint does not have, in any form", async () => {
  for (const query of ["statsu=Pending", "other[]=1", "workspaceId[]=1", "adId=1", "[]=1", "constructor=9"]) {
    const { data } = await publisher.caller.refused(422, "GET", `${publisher.path}/ads?${query}`);
    const [name = ""] = query.split("=");
    expect(data?.reason, query).toBe("UNKNOWN_KEY");
    expect(Object.entries(data?.fieldErrors ?? {}), query).toEqual([
      [name, [expect.stringContaining("Known here: `status`")]],
    ]);
  }
});

it("refuses a parameter where none is taken, also of a request that changes something", async () => {
  for (const [method, path] of [
    ["GET", `${publisher.path}/settings`],
    ["DELETE", `${publisher.path}/tiers/nothing`],
    ["POST", `${publisher.path}/tiers`],
  ] as const) {
    const { data } = await publisher.caller.refused(422, method, `${path}?force=1`);
    expect(data?.fieldErrors, method).toEqual({ force: ["Unknown parameter. None is taken here."] });
  }
});

it("ignores what others append to the address of what anybody may call", async () => {
  const answer = await publisher.caller.request("GET", "/v1/checkout-sessions/nothing?utm_source=x&days[]=1");
  expect(answer.status).toBe(404);
});

/** Tables that hold what people own; sessions, jobs and times of use change with every request. */
const OWNED = [
  "workspaces",
  "tiers",
  "prices",
  "fields",
  "ads",
  "subscriptions",
  "advertisers",
  "members",
  "revisions",
];

let sent = 0;
afterAll(() => {
  console.info(`${sent} malformed requests to management, none answered with a 5xx`);
});

/** Sends it and checks what holds for every answer: no 5xx, and errors in the envelope. */
async function send(endpoint: Endpoint, path: string, body?: unknown, headers: Record<string, string> = {}) {
  sent += 1;
  const answer = await caller.request(endpoint.method, path, body, headers);
  expect(
    answer.status,
    `${endpoint.name} ${path} ${JSON.stringify(body)?.slice(0, 200)}: ${answer.text}`,
  ).toBeLessThan(500);
  if (answer.status >= 400) {
    const said = envelope.parse(JSON.parse(answer.text));
    expect(said.status).toBe(answer.status);
  }
  return answer.status;
}

async function digest(): Promise<string> {
  await chargingSettles(service);
  const parts = await Promise.all(
    OWNED.map((table) =>
      service.database.pool.query(
        // A late webhook looks at the processor again, and leaves no more than the number of its look.
        `select md5(coalesce(string_agg(row, '|' order by row), '')) as sum
         from (select (to_jsonb(t) - 'sync_version')::text as row from ${table} t) rows`,
      ),
    ),
  );
  return parts.map(({ rows }) => rows[0].sum).join(" ");
}

it("has a sound body on record for every endpoint that takes one", () => {
  const taking = endpoints.filter(({ method }) => method === "PATCH" || method === "PUT");
  for (const { name } of taking) expect(bodies, name).toHaveProperty([name]);
});

it.each(endpoints)("$name answers hostile ids in the envelope", async (endpoint) => {
  for (const [, placeholder] of endpoint.path.matchAll(/\{(\w+)\}/g)) {
    for (const id of HOSTILE_IDS) {
      const status = await send(
        endpoint,
        fill(`/v1${endpoint.path}`, { ...known, [placeholder ?? ""]: id }),
        bodies[endpoint.name],
      );
      // A workspace that does not exist is not told from somebody else's.
      expect([403, 404, 405]).toContain(status);
    }
  }
});

it.each(reading)("$name answers hostile queries in the envelope", async (endpoint) => {
  for (const query of HOSTILE_QUERIES) await send(endpoint, `${fill(`/v1${endpoint.path}`)}?${query}`);
});

it.each(endpoints.filter(({ method }) => method !== "GET" && method !== "DELETE"))(
  "$name answers bodies that are no object in the envelope and changes nothing",
  async (endpoint) => {
    // Without an id of its own nothing is found, so what the body is worth is all that is asked.
    const before = await digest();
    let refused = true;

    for (const [body, contentType] of HOSTILE_BODIES) {
      const status = await send(endpoint, fill(`/v1${endpoint.path}`), body, { "content-type": contentType });
      refused &&= status >= 400;
    }

    if (refused) expect(await digest()).toBe(before);
  },
);

it.each(Object.keys(bodies))(
  "%s answers hostile fields in the envelope and changes nothing when it refuses",
  async (name) => {
    const endpoint = endpoints.find((one) => one.name === name);
    const sound = bodies[name];
    if (endpoint === undefined || sound === undefined) throw new Error(`the contract has no ${name}`);

    for (const field of Object.keys(sound)) {
      const before = await digest();
      let refused = true;
      const { [field]: _left, ...without } = sound;
      for (const body of [without, ...HOSTILE_VALUES.map((value) => ({ ...sound, [field]: value }))]) {
        refused &&= (await send(endpoint, fill(`/v1${endpoint.path}`), body)) >= 400;
      }
      if (refused) expect(await digest(), `${name} ${field}`).toBe(before);
    }
  },
);
