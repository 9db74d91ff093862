import { expect, it } from "vitest";
import { newId } from "#libs/domain/ids.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);
const LIMIT = 120;

/** A key of its own, as its budget is used up. */
async function aFreshKey() {
  const answer = await publisher.person.caller.request("POST", `${publisher.path}/api-keys`, {
    name: "Budget",
  });
  return new ApiCaller(service.origin, { authorization: `Bearer ${JSON.parse(answer.text).key}` });
}

it("checks in the order 401, 403, 429, 422, 404, 409, whatever else is wrong with a request", async () => {
  const { path } = publisher;
  const neighbour = await aPublisher(service, "Another Weekly");
  const key = await aFreshKey();
  const malformed = "{";
  const wrong = { name: "" };
  const sound = { name: "Tagline", key: "tagline" };
  const taken = { name: "Tagline", type: "Text", key: "tagline" };
  expect((await key.request("POST", `${path}/fields`, taken)).status).toBe(200);
  expect((await key.request("POST", `${path}/fields`, { ...taken, key: "other" })).status).toBe(200);
  const other = JSON.parse((await key.request("GET", `${path}/fields`)).text).items[1].id;

  const nobody = new ApiCaller(service.origin);
  for (const body of [malformed, wrong]) {
    await nobody.refused(401, "PATCH", `${path}/fields/${newId("field")}`, body);
    await neighbour.caller.refused(403, "PATCH", `${path}/fields/${newId("field")}`, body);
    await key.refused(422, "PATCH", `${path}/fields/${newId("field")}`, body);
  }
  await key.refused(404, "PATCH", `${path}/fields/${newId("field")}`, sound);
  await key.refused(409, "PATCH", `${path}/fields/${other}`, sound);
  await Promise.all(Array.from({ length: LIMIT }, () => key.request("GET", path)));

  await key.refused(429, "PATCH", `${path}/fields/${newId("field")}`, malformed);
  await key.refused(429, "PATCH", `${path}/fields/${other}`, sound);
  await key.refused(403, "GET", neighbour.path);
  await key.refused(403, "GET", `${path}/members`);
});

it("lets exactly 120 requests of a key pass in a window, and sends the remaining number with every answer", async () => {
  const key = await aFreshKey();
  const other = await aFreshKey();

  const answers = await Promise.all(
    Array.from({ length: LIMIT + 30 }, () => key.request("GET", publisher.path)),
  );

  const passed = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect([passed.length, refused.length]).toEqual([LIMIT, 30]);
  expect(
    passed.map(({ headers }) => Number(headers.get("ratelimit-remaining"))).toSorted((a, b) => a - b),
  ).toEqual(Array.from({ length: LIMIT }, (_, n) => n));
  for (const { headers } of answers) {
    expect(headers.get("ratelimit-limit")).toBe("120");
    expect(Number(headers.get("ratelimit-reset"))).toBeLessThanOrEqual(60);
  }
  for (const { headers } of refused) {
    expect(headers.get("ratelimit-remaining")).toBe("0");
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
  }
  const untouched = await other.request("GET", publisher.path);
  expect([untouched.status, untouched.headers.get("ratelimit-remaining")]).toEqual([200, "119"]);
});

it("sends the remaining number with errors of a key too, and to a session that of its own limit", async () => {
  const key = await aFreshKey();

  const missing = await key.request("GET", `${publisher.path}/tiers/${newId("tier")}`);
  const malformed = await key.request("POST", `${publisher.path}/tiers`, "{");
  const session = await publisher.person.caller.request("GET", publisher.path);

  expect([missing.status, missing.headers.get("ratelimit-remaining")]).toEqual([404, "119"]);
  expect([malformed.status, malformed.headers.get("ratelimit-remaining")]).toEqual([422, "118"]);
  expect(session.headers.get("ratelimit-limit")).toBe("600");
});

it("counts what a key asks of another workspace against its limit, and refuses it with 403 all the same", async () => {
  const neighbour = await aPublisher(service, "Third Weekly");
  const key = await aFreshKey();

  const refused = await Promise.all(Array.from({ length: LIMIT }, () => key.request("GET", neighbour.path)));
  const remaining = refused.map(({ headers }) => Number(headers.get("ratelimit-remaining") ?? "NaN"));
  expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: LIMIT }, (_, n) => n));
  const over = await key.request("GET", neighbour.path);
  const own = await key.request("GET", publisher.path);

  expect(new Set([...refused, over].map(({ status }) => status))).toEqual(new Set([403]));
  expect(own.status).toBe(429);
});

it("counts what a key asks of paths and methods that are not there, and sends the remaining number with the refusal", async () => {
  const key = await aFreshKey();
  const asked = [
    ["GET", "/v1/nowhere", 404],
    ["PUT", `${publisher.path}/tiers`, 405],
    ["POST", `${publisher.path}/nowhere`, 404],
  ] as const;

  for (const [index, [method, path, status]] of asked.entries()) {
    const answer = await key.request(method, path);
    expect([answer.status, answer.headers.get("ratelimit-remaining")]).toEqual([status, `${119 - index}`]);
  }
  await Promise.all(Array.from({ length: LIMIT }, () => key.request("GET", "/v1/nowhere")));
  const over = await key.request("GET", "/v1/nowhere");
  const stranger = await new ApiCaller(service.origin).request("GET", "/v1/nowhere");

  expect([over.status, over.headers.get("ratelimit-remaining")]).toEqual([429, "0"]);
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect([stranger.status, stranger.headers.get("ratelimit-limit")]).toEqual([404, null]);
});

it("names the scheme of keys on a 401, says that a key is not valid, and takes a key after several spaces", async () => {
  const refusals = await Promise.all(
    [undefined, "Bearer", "Bearer plc_nothing", `Basic ${publisher.key.key}`].map((authorization) =>
      fetch(`${service.origin}${publisher.path}`, { headers: { ...(authorization && { authorization }) } }),
    ),
  );
  const spaced = await fetch(`${service.origin}${publisher.path}`, {
    headers: { authorization: `Bearer   ${publisher.key.key}` },
  });

  const invalid = 'Bearer error="invalid_token"';
  expect(refusals.map(({ status, headers }) => [status, headers.get("www-authenticate")])).toEqual([
    [401, "Bearer"],
    [401, invalid],
    [401, invalid],
    [401, "Bearer"],
  ]);
  expect(spaced.status).toBe(200);
});
