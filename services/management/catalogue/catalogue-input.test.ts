import { expect, it } from "vitest";
import { field } from "#libs/contract/fields.ts";
import { pageOf } from "#libs/contract/query.ts";
import { tier } from "#libs/contract/tiers.ts";
import { startManagement } from "../tests/management.ts";
import { aField, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const aPrice = { amount: 4900, intervalCount: 1, currency: "usd" };
const aBody = { name: "Gold", weight: 3, initialPrices: [aPrice] };

it.each([
  ["name", [undefined, null, 5, "", "x", " x ", "x".repeat(81), "a\u0000b", "\ud800", ["Gold"], {}]],
  ["weight", [undefined, null, "3", 0, -0, -1, true, [3]]],
  ["description", [null, 5, "x".repeat(2001), "a\u0000b", "\udc00", {}]],
  ["order", [null, -1, 1.5, 2 ** 53, "1", true]],
  ["isActive", [null, 0, "true"]],
  ["features", [null, "neutral", {}, Array(16).fill({ label: "Line", type: "neutral" })]],
  ["features.0", [[null], ["neutral"], [[]]]],
  [
    "features.0.label",
    [[{ type: "neutral" }], [{ label: " ", type: "neutral" }], aLabel("x".repeat(81)), aLabel("\u0000")],
  ],
  [
    "features.0.type",
    [[{ label: "Line" }], [{ label: "Line", type: "Neutral" }], [{ label: "Line", type: 1 }]],
  ],
  ["initialPrices", [undefined, null, [], aPrice, Array(51).fill(aPrice)]],
  ["initialPrices.0.amount", prices("amount", [undefined, null, -1, 1.5, 2 ** 53, "4900", true])],
  [
    "initialPrices.0.intervalCount",
    prices("intervalCount", [undefined, null, 0, -1, 1.5, 37, 1096, 2 ** 53, "1"]),
  ],
  [
    "initialPrices.0.currency",
    prices("currency", [undefined, null, "", "USD", "us", "zzz", "usd ", "u\u0000d", 840]),
  ],
  ["initialPrices.0.interval", prices("interval", [null, "", "month", "Quarter", 1])],
])("answers 422 to a new tier at %s and creates nothing", async (at, values) => {
  const before = await caller.ok(pageOf(tier), "GET", `${path}/tiers?perPage=1`);

  for (const value of values) {
    const { data } = await caller.refused(422, "POST", `${path}/tiers`, {
      ...aBody,
      [at.split(".")[0] ?? at]: value,
    });
    expect(Object.keys(data?.fieldErrors ?? {}), JSON.stringify(value)?.slice(0, 80)).toEqual([at]);
  }

  expect((await caller.ok(pageOf(tier), "GET", `${path}/tiers?perPage=1`)).total).toBe(before.total);
});

function prices(key: string, values: readonly unknown[]): unknown[] {
  return values.map((value) => [{ ...aPrice, [key]: value }]);
}

function aLabel(label: string) {
  return [{ label, type: "neutral" }];
}

it.each([
  ["name", [null, "", "x", 5, "\u0000\u0000", "x".repeat(81)]],
  ["weight", [null, 0, -1, "3"]],
  ["description", [null, 5, "\ud800"]],
  ["order", [null, -1, 0.5, "0"]],
  ["isActive", [null, "false", 0]],
  ["features", [null, {}, Array(16).fill({ label: "Line", type: "neutral" })]],
])("answers 422 to a change of a tier at %s and changes nothing", async (at, values) => {
  const made = await aTier(publisher);

  for (const value of values) {
    const { data } = await caller.refused(422, "PATCH", `${path}/tiers/${made.id}`, {
      description: "Not to be kept.",
      [at]: value,
    });
    expect(Object.keys(data?.fieldErrors ?? {})).toEqual([at]);
  }

  expect(await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).toEqual(made);
});

it.each([
  ["amount", [undefined, null, -1, 1.5, 2 ** 53, "4900", true, {}]],
  ["intervalCount", [undefined, null, 0, -1, 1.5, 37, 1096, 2 ** 53, "1"]],
  ["currency", [undefined, null, "", "USD", "us", "zzz", "usd ", "u\u0000d", "\ud800", 840]],
  ["interval", [null, "", "month", "Quarter", 1]],
])("answers 422 to a new price at %s and adds nothing", async (at, values) => {
  const made = await aTier(publisher);

  for (const value of values) {
    const body = { ...aPrice, currency: "eur", [at]: value };
    const { data } = await caller.refused(422, "POST", `${path}/tiers/${made.id}/prices`, body);
    expect(Object.keys(data?.fieldErrors ?? {}), JSON.stringify(value)).toEqual([at]);
  }

  expect(await caller.ok(tier, "GET", `${path}/tiers/${made.id}`)).toEqual(made);
});

it.each([
  ["Day", 730],
  ["Week", 104],
  ["Month", 24],
  ["Year", 2],
])("takes a price of two years in units of a %s and no longer one", async (interval, intervalCount) => {
  const made = await aTier(publisher);
  const at = `${path}/tiers/${made.id}/prices`;

  const { data } = await caller.refused(422, "POST", at, {
    ...aPrice,
    interval,
    intervalCount: intervalCount + 1,
  });
  const { prices } = await caller.ok(tier, "POST", at, { ...aPrice, interval, intervalCount });

  expect(Object.keys(data?.fieldErrors ?? {})).toEqual(["intervalCount"]);
  expect(prices[1]).toMatchObject({ interval, intervalCount });
});

const FIELD_PROBLEMS: [at: string, values: unknown[], also?: Record<string, unknown>][] = [
  ["name", [null, "", " ", 5, "x".repeat(81), "a\u0000b", "\ud800"]],
  ["type", [null, "", "text", "File", 5]],
  ["key", [null, "", "Tagline", "2nd", "a-b", "a b", "ä", "x".repeat(41), "a\u0000", "__proto__", 5]],
  ["description", [null, 5, "x".repeat(2001), "a\u0000b"]],
  ["placeholder", [null, 5, "x".repeat(501), "\udfff"]],
  ["default", [null, 5, true, "x".repeat(10_001), "x".repeat(501), "two\nlines", "a\u0000b"]],
  ["default", ["yes", "1"], { type: "Switch" }],
  ["default", ["ten", "1e3", "11"], { type: "Number", max: 10 }],
  ["default", ["c"], { type: "Select", options: ["a", "b"] }],
  ["default", ["2026-02-30"], { type: "Date" }],
  ["isRequired", [null, 0, "true"]],
  ["isPublisherOnly", [null, 1, "false"]],
  ["order", [null, -1, 1.5, 2 ** 53, "1"]],
  ["options", [null, "a", {}, ["a"]]],
  ["options", [[], Array.from({ length: 101 }, (_, index) => `Choice ${index}`)], { type: "Select" }],
  [
    "options.1",
    [
      ["a", "a"],
      ["a", " "],
      ["a", 5],
      ["a", "x".repeat(201)],
      ["a", "\u0000"],
    ],
    { type: "Select" },
  ],
  ["maxLength", [0, -1, 1.5, 501, "10"]],
  ["maxLength", [10], { type: "Url" }],
  ["min", [1, "1"]],
  ["max", [1, "1"]],
  ["max", [1], { type: "Number", min: 2 }],
];

it.each(FIELD_PROBLEMS)(
  "answers 422 to a new field at %s for each of %j and creates nothing",
  async (at, values, also) => {
    const { total } = await caller.ok(pageOf(field), "GET", `${path}/fields?perPage=1`);

    for (const value of values) {
      const body = { name: "Tagline", type: "Text", ...also, [at.split(".")[0] ?? at]: value };
      const { data } = await caller.refused(422, "POST", `${path}/fields`, body);
      expect(Object.keys(data?.fieldErrors ?? {}), JSON.stringify(value)?.slice(0, 80)).toEqual([at]);
    }

    expect((await caller.ok(pageOf(field), "GET", `${path}/fields?perPage=1`)).total).toBe(total);
  },
);

it.each(FIELD_PROBLEMS)(
  "answers 422 to a change of a field at %s for each of %j and changes nothing",
  async (at, values, also) => {
    const made = await aField(publisher);

    for (const value of values) {
      const body = { description: "Not to be kept.", ...also, [at.split(".")[0] ?? at]: value };
      const { data } = await caller.refused(422, "PATCH", `${path}/fields/${made.id}`, body);
      expect(Object.keys(data?.fieldErrors ?? {}), JSON.stringify(value)?.slice(0, 80)).toEqual([at]);
    }

    expect(await caller.ok(field, "GET", `${path}/fields/${made.id}`)).toEqual(made);
  },
);

it("asks a new field for its name and type and no more", async () => {
  const { data } = await caller.refused(422, "POST", `${path}/fields`, {});

  expect(Object.keys(data?.fieldErrors ?? {}).toSorted()).toEqual(["name", "type"]);
});
