import { afterAll, expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { field as fieldShape } from "#libs/contract/fields.ts";
import type { ApiCaller } from "./callers.ts";
import { envelope } from "./envelope.ts";
import { HOSTILE_BODIES, HOSTILE_IDS, HOSTILE_QUERIES, HOSTILE_VALUES } from "./hostile.ts";
import { startManagement } from "./management.ts";
import { soundBodies } from "./sound-bodies.ts";
import { anApprovedAd, aPublisher, chargingSettles } from "./story.ts";

const service = await startManagement({ stats: "real", unlimited: true });
const publisher = await aPublisher(service);
const ad = await anApprovedAd(service, publisher);
const caller: ApiCaller = publisher.person.caller;
const field = await caller.ok(fieldShape, "POST", `${publisher.path}/fields`, {
  name: "Tagline",
  type: "Text",
});
const bodies = soundBodies({ priceId: ad.tier.prices[0]?.id ?? "" });
const endpoints = listEndpoints(managementContract);
let sent = 0;

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

afterAll(() => {
  console.info(`${sent} malformed requests to management, none answered with a 5xx`);
});

function pathOf(endpoint: Endpoint, replaced: Readonly<Record<string, string>> = {}): string {
  const ids: Record<string, string> = {
    workspaceId: publisher.workspace.id,
    adId: ad.id,
    tierId: ad.tier.id,
    priceId: ad.tier.prices[0]?.id ?? "",
    fieldId: field.id,
    advertiserId: ad.subscription.advertiser.id,
    sessionId: ad.checkout.sessionId,
    ...replaced,
  };
  return `/v1${endpoint.path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "nothing")}`;
}

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
        pathOf(endpoint, { [placeholder ?? ""]: id }),
        bodies[endpoint.name],
      );
      // A workspace that does not exist is not told from somebody else's.
      expect([403, 404, 405]).toContain(status);
    }
  }
});

it.each(endpoints.filter(({ method }) => method === "GET"))(
  "$name answers hostile queries in the envelope",
  async (endpoint) => {
    for (const query of HOSTILE_QUERIES) await send(endpoint, `${pathOf(endpoint)}?${query}`);
  },
);

it.each(endpoints.filter(({ method }) => method !== "GET" && method !== "DELETE"))(
  "$name answers bodies that are no object in the envelope and changes nothing",
  async (endpoint) => {
    // Without an id of its own nothing is found, so what the body is worth is all that is asked.
    const before = await digest();
    let refused = true;

    for (const [body, contentType] of HOSTILE_BODIES) {
      const status = await send(endpoint, pathOf(endpoint), body, { "content-type": contentType });
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
        refused &&= (await send(endpoint, pathOf(endpoint), body)) >= 400;
      }
      if (refused) expect(await digest(), `${name} ${field}`).toBe(before);
    }
  },
);
