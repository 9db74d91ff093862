import { isContractProcedure } from "@orpc/contract";
import { afterAll, expect, it } from "vitest";
import { z } from "zod";
import {
  createPlacardClient,
  isDefinedError,
  ORPCError,
  type PlacardClient,
  safe,
} from "#libs/client/index.ts";
import { servingContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { problems } from "#libs/contract/errors.ts";
import { newKey } from "#libs/domain/api-key.ts";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot, aTier } from "./builders.ts";
import { openRig } from "./serving-rig.ts";

type Call = (api: PlacardClient) => Promise<unknown>;

const envelope = z.strictObject({
  defined: z.boolean(),
  code: z.string(),
  status: z.int(),
  message: z.string().min(1),
  data: z.union([problems.strict(), z.strictObject({ requestId: z.string() })]),
});

const ad = anAd({ meta: { tagline: "“Café” ☕", stars: 5 } });
const tracking = newKey("tracking");
const trackingKeys = [tracking.hash.toString("base64url")];
const snapshot = aSnapshot({ ads: [ad], tiers: [aTier()], trackingKeys });
const rig = await openRig({ snapshots: [snapshot] });
afterAll(() => rig.close());
const { workspaceId } = snapshot;
const nowhere = newId("workspace");

let last = { status: 0, text: "" };
const api = createPlacardClient({
  baseUrl: rig.url,
  apiKey: tracking.key,
  fetch: async (request, init) => {
    const response = await fetch(request, init);
    last = { status: response.status, text: await response.clone().text() };
    return response;
  },
});

/** How each endpoint is brought to each of its answers. Tracking refuses nothing that it can read: what is unknown is a success of false. */
const CALLS: Record<
  string,
  { readonly succeed: readonly Call[]; readonly refuse: readonly [number, Call][] }
> = {
  ads: {
    succeed: [
      ({ serving }) => serving.ads({ workspaceId, count: 50 }),
      ({ serving }) => serving.ads({ workspaceId, proof: 1 }),
      ({ serving }) => serving.ads({ workspaceId, weight: { gte: 1e9 }, excludeIds: [ad.id] }),
    ],
    refuse: [
      [404, ({ serving }) => serving.ads({ workspaceId: nowhere })],
      [422, ({ serving }) => serving.ads({ workspaceId, count: 1.5 })],
    ],
  },
  tiers: {
    succeed: [({ serving }) => serving.tiers({ workspaceId })],
    refuse: [[404, ({ serving }) => serving.tiers({ workspaceId: nowhere })]],
  },
  impression: {
    succeed: [
      ({ serving }) => serving.impression({ adId: ad.id }),
      ({ serving }) => serving.impression({ adId: "nothing" }),
      ({ serving }) => serving.impression({ adId: ad.id }, { context: { proof: "no proof" } }),
    ],
    refuse: [],
  },
  impressions: {
    succeed: [
      ({ serving }) => serving.impressions({ ads: [{ id: ad.id }, { id: "nothing", proof: "no proof" }] }),
    ],
    refuse: [[422, ({ serving }) => serving.impressions({ ads: [] })]],
  },
  click: {
    succeed: [
      ({ serving }) => serving.click({ adId: ad.id }),
      ({ serving }) => serving.click({ adId: newId("ad") }),
    ],
    refuse: [],
  },
  events: {
    succeed: [
      ({ serving }) => serving.events({ workspaceId, events: [{ adId: ad.id, kind: "click" }] }),
      ({ serving }) => serving.events({ workspaceId, events: [{ adId: newId("ad"), kind: "impression" }] }),
    ],
    refuse: [
      [
        404,
        ({ serving }) => serving.events({ workspaceId: nowhere, events: [{ adId: ad.id, kind: "click" }] }),
      ],
      [422, ({ serving }) => serving.events({ workspaceId, events: [] })],
    ],
  },
};
const endpoints = listEndpoints(servingContract);

it("has calls for every endpoint, and for no other", () => {
  expect(Object.keys(CALLS).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});

it.each(endpoints)("$name answers exactly as the contract says", async ({ name }) => {
  const { succeed, refuse } = CALLS[name] ?? { succeed: [], refuse: [] };
  const output = outputOf(name);

  for (const call of succeed) {
    const value = await call(api);
    expect([last.status, output.parse(JSON.parse(last.text))]).toEqual([200, JSON.parse(last.text)]);
    expect(value).toEqual(JSON.parse(last.text));
  }
  for (const [status, call] of refuse) {
    const [error] = await safe(call(api));
    const said = envelope.parse(JSON.parse(last.text));
    expect([last.status, said.status, said.defined, isDefinedError(error)]).toEqual([
      status,
      status,
      true,
      true,
    ]);
  }
});

it("answers 503 in the envelope while the database or the log is away, as an error that is no defined one", async () => {
  const away = await openRig({ snapshots: [snapshot] });
  const client = createPlacardClient({ baseUrl: away.url });
  await client.serving.impression({ adId: ad.id });
  away.source.isAway = true;
  await away.log.close();

  const calls: Call[] = [
    ({ serving }) => serving.ads({ workspaceId: newId("workspace") }),
    ({ serving }) => serving.impression({ adId: ad.id }),
  ];
  const errors = await Promise.all(calls.map(async (call) => (await safe(call(client)))[0]));
  await away.close();

  for (const error of errors) {
    expect(error).toBeInstanceOf(ORPCError);
    expect(error).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE", defined: false });
  }
});

function outputOf(name: string): z.ZodType {
  const found = Object.entries(servingContract).find(([key]) => key === name)?.[1];
  const output = isContractProcedure(found) ? found["~orpc"].outputSchema : undefined;
  if (!(output instanceof z.ZodType)) throw new Error(`${name} has no output`);
  return output;
}
