import { afterAll, expect, it } from "vitest";
import { createPlacardClient } from "#libs/client/index.ts";
import { servedAds } from "#libs/contract/serving.ts";
import { newId } from "#libs/domain/ids.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { openRig } from "./serving-rig.ts";

const GOLD = newId("tier");
const SILVER = newId("tier");
const ads = [GOLD, GOLD, SILVER, newId("tier")].map((tierId) => anAd({ tierId }));
const snapshot = aSnapshot({ ads });
const rig = await openRig({ snapshots: [snapshot] });
afterAll(() => rig.close());
const { workspaceId } = snapshot;
const client = createPlacardClient({ baseUrl: rig.url });

const inTiers = (...tiers: string[]) =>
  ads.filter(({ tierId }) => tiers.includes(tierId)).map(({ id }) => id);
const [first, second] = inTiers(GOLD);

async function servedFor(query: string): Promise<string[]> {
  const response = await fetch(`${rig.url}/workspaces/${workspaceId}/ads/serving?count=50&${query}`);
  return servedAds
    .parse(await response.json())
    .ads.map(({ id }) => id)
    .toSorted();
}

/** The ways in which programs write a list: by hand, URLSearchParams, PHP and jQuery, qs and our client. */
const FORMS: Readonly<Record<string, (name: string, values: readonly string[]) => string>> = {
  "joined by commas": (name, values) => `${name}=${values.join(",")}`,
  "joined by encoded commas": (name, values) => `${name}=${values.join("%2C")}`,
  repeated: (name, values) => values.map((value) => `${name}=${value}`).join("&"),
  bracketed: (name, values) => values.map((value) => `${name}[]=${value}`).join("&"),
  "bracketed and encoded": (name, values) => values.map((value) => `${name}%5B%5D=${value}`).join("&"),
  numbered: (name, values) => values.map((value, index) => `${name}[${index}]=${value}`).join("&"),
  "in two forms at once": (name, values) => `${name}=${values[0]}&${name}[]=${values.slice(1).join(",")}`,
};

it.each(Object.entries(FORMS))("filters by a list of tiers that is %s", async (_form, write) => {
  expect(await servedFor(write("tierId", [GOLD, SILVER]))).toEqual(inTiers(GOLD, SILVER).toSorted());
});

it.each(Object.entries(FORMS))("leaves out the ads of a list that is %s", async (_form, write) => {
  const served = await servedFor(write("excludeIds", [first ?? "", second ?? ""]));

  expect(served).toEqual(
    ads
      .map(({ id }) => id)
      .filter((id) => id !== first && id !== second)
      .toSorted(),
  );
});

it("shows a slot for certain tiers no other ads because its list is empty, in any form", async () => {
  for (const query of ["tierId=", "tierId[]=", "tierId[0]=", "tierId=,"]) {
    expect(await servedFor(query), query).toEqual([]);
  }
});

it("gives the typed client the same ads for a list as for joined text", async () => {
  const served = async (input: { tierId?: string | string[]; excludeIds?: string | string[] }) =>
    (await client.serving.ads({ workspaceId, count: 50, ...input })).ads.map(({ id }) => id);

  for (const list of [[GOLD], [GOLD, SILVER]]) {
    expect((await served({ tierId: list })).toSorted()).toEqual(inTiers(...list).toSorted());
  }
  expect(await served({ tierId: [GOLD, SILVER] })).toEqual(await served({ tierId: `${SILVER},${GOLD}` }));
  expect(await served({ tierId: GOLD, excludeIds: inTiers(GOLD) })).toEqual([]);
});

it.each([
  ["count[]=3", "count"],
  ["count[0]=3", "count"],
  ["count[gte]=3", "count"],
  ["count=1&count=2", "count"],
  ["count=1&count[]=2", "count"],
  ["weight[gte][]=1", "weight.gte"],
  ["weight[gte]=1&weight[gte]=2", "weight.gte"],
  ["weight[lt][0]=1", "weight.lt"],
  ["weight[]=1", "weight"],
  ["weight[0]=1", "weight"],
  ["weight=1", "weight"],
  ["tierId[gte]=x", "tierId"],
  ["tierId[0][1]=x", "tierId"],
  ["excludeIds[x][]=y", "excludeIds"],
])("refuses %s with 422, naming %s, rather than to serve unfiltered", async (query, field) => {
  const response = await fetch(`${rig.url}/workspaces/${workspaceId}/ads/serving?${query}`);

  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    code: "INPUT_VALIDATION_FAILED",
    data: { formErrors: [], fieldErrors: { [field]: [expect.any(String)] } },
  });
});
