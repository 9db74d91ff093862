import { getContractRouter, isContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import { isDefinedError, ORPCError, safe } from "#libs/client/index.ts";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { describeInterface } from "../reference/openapi.ts";
import { contractCalls } from "./contract-calls/every-endpoint.ts";
import { type Call, prepareGround } from "./contract-calls/ground.ts";
import { declaredHeaders, sentHeaders } from "./declared-headers.ts";
import { envelope } from "./envelope.ts";
import { startManagement } from "./management.ts";
import { parseStrictly } from "./parse-strictly.ts";
import { type RecordedClient, recordedClient } from "./recorded-client.ts";
import { aPublisher } from "./story.ts";

// The serving service implements the other four endpoints of the contract and has a contract test of its own.
const endpoints = listEndpoints(managementContract);
const service = await startManagement({ unlimited: true, stats: "real", sales: { connect: true } });
/** A second process of the installation, the one that keeps to its limits. */
const limited = await startManagement({ beside: service });
const ground = await prepareGround(service);
const calls = contractCalls(ground);
const { publisher } = ground;
const neighbour = await aPublisher(service, "Another Weekly");

const withKey = { authorization: `Bearer ${publisher.key.key}` };
const nobody = recordedClient(service);
const key = recordedClient(service, withKey);
const owner = recordedClient(service, { cookie: publisher.person.cookie });
const stranger = recordedClient(service, { authorization: `Bearer ${neighbour.key.key}` });
const strangersSession = recordedClient(service, { cookie: neighbour.person.cookie });

const CODES = {
  401: "UNAUTHORIZED",
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  409: "CONFLICT_FIELD",
  413: "PAYLOAD_TOO_LARGE",
  422: "INPUT_VALIDATION_FAILED",
  429: "TOO_MANY_REQUESTS",
  502: "PAYMENT_PROCESSOR_FAILED",
  503: "SERVICE_UNAVAILABLE",
} as const;
type ErrorStatus = keyof typeof CODES;

/** What was sent with each status that errors have. */
const sentWithErrors = new Map<number, Set<string>>();

/**
 * Makes a call that has to be refused: in the envelope and no key more, with declared headers alone, and as the client's
 * error of that code.
 */
async function refused(name: string, status: ErrorStatus, client: RecordedClient, call: Call) {
  const [error] = await safe(call(client.api));
  const answer = client.last();
  expect(answer.status, answer.text).toBe(status);
  const sent = sentHeaders(answer.headers);
  expect(declaredHeaders(name, status), `${name} ${status}`).toEqual(expect.arrayContaining(sent));
  sentWithErrors.set(status, new Set([...(sentWithErrors.get(status) ?? []), ...sent]));
  const said = parseStrictly(envelope, JSON.parse(answer.text));
  const withProblems = status === 409 || status === 422;
  expect(said).toMatchObject({ code: CODES[status], status, defined: status < 500 && status !== 413 });
  expect(said.data.reason !== undefined, `${status} with a reason`).toBe(withProblems);
  expect(said.data.requestId).toBe(answer.headers.get("x-request-id"));
  if (withProblems) expect(said.message).toBe(said.code);
  expect(answer.headers.get("x-request-id")).toMatch(/./);
  if (!(error instanceof ORPCError)) throw new Error("the client threw no error of ours");
  expect([error.code, isDefinedError(error), error.data]).toEqual([said.code, said.defined, said.data]);
  return said;
}

function procedureOf(name: string) {
  const found = getContractRouter(managementContract, name.split("."));
  if (!isContractProcedure(found)) throw new Error(`the contract has no ${name}`);
  const { outputSchema, inputSchema } = found["~orpc"];
  if (!(outputSchema instanceof z.ZodType)) throw new Error(`${name} has no output`);
  return { output: outputSchema, input: inputSchema };
}

/** What is arranged for an endpoint serves all tests: after its own one only calls that change nothing are made. */
const arranged = new Map<string, ReturnType<(typeof calls)[string]>>();

async function callsOf({ name }: Endpoint) {
  const arrange = calls[name];
  if (arrange === undefined) throw new Error(`no calls are written down for ${name}`);
  const ready = arranged.get(name) ?? arrange();
  arranged.set(name, ready);
  return await ready;
}

/** A caller with access to the endpoint, with a key where one is accepted. */
function callerOf({ access }: Endpoint): RecordedClient {
  if (access.kind === "public") return nobody;
  return access.kind === "member" ? key : owner;
}

it("has calls for every endpoint, and for no other", () => {
  expect(Object.keys(calls).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});

it.each(endpoints)("$name answers exactly as the contract says, errors too", async (endpoint) => {
  const { name } = endpoint;
  const { succeed, refuse, by } = await callsOf(endpoint);
  const { output } = procedureOf(endpoint.name);
  const caller = callerOf(endpoint);
  const as = (cookie: string | undefined) =>
    cookie === undefined ? caller : recordedClient(service, { cookie });

  if (endpoint.access.kind !== "public") await refused(name, 401, nobody, succeed);
  if (endpoint.access.kind === "member") await refused(name, 403, stranger, succeed);
  if (endpoint.access.kind === "people") await refused(name, 403, strangersSession, succeed);
  if (endpoint.access.kind === "people" || endpoint.access.kind === "session") {
    await refused(name, 403, key, succeed);
  }
  if (refuse[422] !== undefined) await refused(name, 422, caller, refuse[422]);
  if (refuse[404] !== undefined) await refused(name, 404, caller, refuse[404]);

  const successful = as(by?.[200]);
  const value = await succeed(successful.api);
  const answer = successful.last();
  expect(answer.status).toBe(200);
  // Sent only with an answer that is repeated, and only where another page follows.
  const notAlways = ["idempotent-replayed", "link"];
  const promised = declaredHeaders(name, 200).filter((header) => !notAlways.includes(header));
  const sent = sentHeaders(answer.headers).filter((header) => !notAlways.includes(header));
  expect(sent, name).toEqual(promised);
  if (value instanceof File) {
    expect(answer.headers.get("content-type")).toMatch(/^(text\/csv|application\/json)/);
    expect(await value.text()).toBe(answer.text);
  } else {
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expect(parseStrictly(output, JSON.parse(answer.text))).toEqual(value);
  }
  if (refuse[409] !== undefined) await refused(name, 409, as(by?.[409]), refuse[409]);
});

it("has a 404 for every endpoint that names a resource, and a 422 for every one that takes more than ids", async () => {
  for (const endpoint of endpoints) {
    const { refuse } = await callsOf(endpoint);
    const placeholders = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
    const { input } = procedureOf(endpoint.name);
    const taken = input instanceof z.ZodObject ? Object.keys(input.shape) : [];
    if (placeholders.some((name) => name !== "workspaceId"))
      expect(refuse, endpoint.name).toHaveProperty("404");
    if (taken.some((name) => !placeholders.includes(name)))
      expect(refuse, endpoint.name).toHaveProperty("422");
  }
});

it("describes a 404 exactly where something may be missing", async () => {
  const { paths } = await describeInterface("https://placard.example/v1");
  for (const endpoint of endpoints) {
    const { refuse } = await callsOf(endpoint);
    const described = Object.entries(paths?.[endpoint.path] ?? {}).find(
      ([method]) => method === endpoint.method.toLowerCase(),
    )?.[1];
    const isDescribed = JSON.stringify(described).includes('"#/components/responses/NotFound"');
    expect(isDescribed, endpoint.name).toBe(refuse[404] !== undefined);
  }
});

it("answers 429 with Retry-After to a key over its rate, whatever it calls", async () => {
  const spent = recordedClient(limited, withKey);
  for (let n = 0; n < 120; n += 1) await spent.api.workspaces.get(ground.here);

  for (const endpoint of endpoints.filter(({ access }) => access.kind === "member")) {
    const { succeed } = await callsOf(endpoint);
    await refused(endpoint.name, 429, spent, succeed);
    expect(Number(spent.last().headers.get("retry-after")), endpoint.name).toBeGreaterThanOrEqual(1);
  }
});

it("answers 429 with Retry-After to an address over its rate, on every public endpoint", async () => {
  const anybody = recordedClient(limited);
  const sessionId = "cs_test_0000000000000000";
  for (let n = 0; n < 121; n += 1) await safe(anybody.api.checkout.get({ sessionId }));
  for (let n = 0; n < 61; n += 1) {
    await safe(anybody.api.checkout.submit({ sessionId, name: "Coffee", websiteUrl: "https://a.example" }));
  }
  for (let n = 0; n < 21; n += 1) {
    await safe(anybody.api.checkout.create({ ...ground.here, tierPriceId: "price_of_nobody" }));
  }

  for (const endpoint of endpoints.filter(({ access }) => access.kind === "public")) {
    const { succeed } = await callsOf(endpoint);
    await refused(endpoint.name, 429, anybody, succeed);
    expect(Number(anybody.last().headers.get("retry-after")), endpoint.name).toBeGreaterThanOrEqual(1);
  }
});

it("answers what is nobody's choice in the envelope, as an error that is not a defined one", async () => {
  const { id: adId } = ground.running;

  await refused("fields.create", 413, key, (api) =>
    api.fields.create({ ...ground.here, name: "x".repeat(1_100_000), type: "Text" }),
  );
  await service.processor.while("failing", () =>
    refused("ads.pause", 502, key, (api) => api.ads.pause({ ...ground.here, adId })),
  );
  // The second process has no stats store.
  const session = recordedClient(limited, { cookie: publisher.person.cookie });
  await refused("ads.stats", 503, session, (api) => api.ads.stats({ ...ground.here, adId }));
});

it("sends each header that an error declares", () => {
  // It needs more than a call: a compressed body.
  const elsewhere = ["accept-encoding"];

  for (const [status, sent] of sentWithErrors) {
    const declared = declaredHeaders("ads.pause", status).filter((header) => !elsewhere.includes(header));
    expect([...sent].toSorted(), String(status)).toEqual(declared);
  }
  expect([...sentWithErrors.keys()].toSorted()).toEqual(Object.keys(CODES).map(Number));
});
