import fc from "fast-check";
import { expect } from "vitest";
import type { z } from "zod";
import { field } from "#libs/contract/fields.ts";
import { pageOf } from "#libs/contract/query.ts";
import { tier } from "#libs/contract/tiers.ts";
import type { ApiCaller } from "./callers.ts";
import type { CatalogueModel, ModelTier } from "./catalogue-model.ts";

/** The service under test, and the real ids of what the model knows by position. */
export interface RealCatalogue {
  readonly caller: ApiCaller;
  readonly path: string;
  readonly tiers: { readonly id: string; readonly prices: string[] }[];
  readonly fields: string[];
  steps: number;
}

type Command = fc.AsyncCommand<CatalogueModel, RealCatalogue>;
type Act<T> = (model: CatalogueModel, real: RealCatalogue, given: T) => Promise<void>;

const anyIndex = fc.nat(1_000);
const anyName = fc.constantFrom("Gold", "Logo", "Call to action");
const anyWeight = fc.constantFrom(0.5, 1, 3);
const anyOrder = fc.nat(6);
const anyPrice = fc.record({
  interval: fc.constantFrom("Month", "Year"),
  intervalCount: fc.integer({ min: 1, max: 2 }),
  currency: fc.constantFrom("usd", "jpy"),
  amount: fc.nat(3).map((n) => n * 100),
});
const anyKey = fc.constantFrom("logo", "logo_2", "gold", "x");
const optional = { requiredKeys: [] };

const addTier = command(
  "addTier",
  fc.record(
    {
      name: anyName,
      weight: anyWeight,
      order: anyOrder,
      initialPrices: fc.array(anyPrice, { minLength: 1, maxLength: 3 }),
    },
    { requiredKeys: ["name", "weight", "initialPrices"] },
  ),
  async (model, real, body) => {
    const expected = model.addTier(body.name, body.weight, body.order, body.initialPrices.map(asModelPrice));
    const answer = await send(real, expected, tier, "POST", "/tiers", body);
    if (answer === undefined) return;
    real.tiers.push({ id: answer.id, prices: answer.prices.map(({ id }) => id) });
    expect(asModelTier(answer)).toEqual(model.tiers.at(-1));
  },
);

const changeTier = command(
  "changeTier",
  fc.record({
    at: anyIndex,
    changes: fc.record(
      { name: anyName, weight: anyWeight, order: anyOrder, isActive: fc.boolean() },
      optional,
    ),
  }),
  onTier(async (expected, real, id, { changes }) => {
    Object.assign(expected, changes);
    return await send(real, 200, tier, "PATCH", `/tiers/${id}`, changes);
  }),
);

const setTierActive = command(
  "setTierActive",
  fc.record({ at: anyIndex, isActive: fc.boolean() }),
  onTier(async (expected, real, id, { isActive }) => {
    expected.isActive = isActive;
    return isActive
      ? await send(real, 200, tier, "POST", `/tiers/${id}/unarchive`)
      : await send(real, 200, tier, "DELETE", `/tiers/${id}`);
  }),
);

const addPrice = command(
  "addPrice",
  fc.record({ at: anyIndex, price: anyPrice }),
  onTier(async (expected, real, id, { at, price }, model) => {
    const status = model.addPrice(expected, asModelPrice(price));
    const answer = await send(real, status, tier, "POST", `/tiers/${id}/prices`, price);
    const added = answer?.prices.at(-1);
    if (added !== undefined) real.tiers[at % real.tiers.length]?.prices.push(added.id);
    return answer;
  }),
);

const setPriceActive = command(
  "setPriceActive",
  fc.record({ at: anyIndex, price: anyIndex, isActive: fc.boolean() }),
  onTier(async (expected, real, id, { at, price, isActive }, model) => {
    const position = price % expected.prices.length;
    const one = expected.prices[position];
    if (one === undefined) throw new Error("every tier has a price");
    const status = model.setPriceActive(expected, one, isActive);
    const url = `/tiers/${id}/prices/${real.tiers[at % real.tiers.length]?.prices[position]}`;
    return isActive
      ? await send(real, status, tier, "POST", `${url}/unarchive`)
      : await send(real, status, tier, "DELETE", url);
  }),
);

const addField = command(
  "addField",
  fc.record({ name: anyName, key: anyKey, order: anyOrder }, { requiredKeys: ["name"] }),
  async (model, real, body) => {
    const status = model.addField(body.name, body.key, body.order);
    const answer = await send(real, status, field, "POST", "/fields", { ...body, type: "Text" });
    if (answer === undefined) return;
    real.fields.push(answer.id);
    expect(answer).toMatchObject({ ...model.fields.at(-1), id: answer.id });
  },
);

const changeField = command(
  "changeField",
  fc.record({ at: anyIndex, changes: fc.record({ name: anyName, key: anyKey, order: anyOrder }, optional) }),
  async (model, real, { at, changes }) => {
    const expected = model.fields[at % Math.max(1, model.fields.length)];
    if (expected === undefined) return;
    const status = model.changeField(expected, changes);
    const answer = await send(real, status, field, "PATCH", `/fields/${real.fields[expected.id]}`, changes);
    if (answer !== undefined) expect(answer).toMatchObject({ ...expected, id: answer.id });
  },
);

const removeField = command("removeField", anyIndex, async (model, real, at) => {
  if (model.fieldsMade === 0) return;
  const id = at % model.fieldsMade;
  await send(real, model.removeField(id), undefined, "DELETE", `/fields/${real.fields[id]}`);
});

const reorder = command(
  "reorder",
  fc.array(fc.record({ at: anyIndex, order: fc.integer({ min: -1, max: 9 }) }), { maxLength: 5 }),
  async (model, real, targets) => {
    if (model.fieldsMade === 0) return;
    const moves = targets.map(({ at, order }) => ({ id: at % model.fieldsMade, order }));
    const fields = moves.map(({ id, order }) => ({ id: real.fields[id], order }));
    await send(real, model.reorder(moves), undefined, "POST", "/fields/reorder", { fields });
  },
);

const list = command(
  "list",
  fc.record({ page: fc.integer({ min: 1, max: 4 }), perPage: fc.integer({ min: 1, max: 6 }) }),
  async (model, real, { page, perPage }) => {
    const query = `?page=${page}&perPage=${perPage}`;
    const tiers = await send(real, 200, pageOf(tier), "GET", `/tiers${query}`);
    const fields = await send(real, 200, pageOf(field), "GET", `/fields${query}`);

    expect(tiers?.items.map(({ id }) => id)).toEqual(
      pageIn(model.sortedTiers(), page, perPage).map(({ id }) => real.tiers[id]?.id),
    );
    expect(tiers?.items.map(asModelTier)).toEqual(
      pageIn(model.sortedTiers(), page, perPage).map(({ id: _, ...one }) => one),
    );
    expect(
      fields?.items.map(({ id, name, key, order }) => ({ id: real.fields.indexOf(id), name, key, order })),
    ).toEqual(pageIn(model.sortedFields(), page, perPage));
    expect([tiers?.total, fields?.total]).toEqual([model.tiers.length, model.fields.length]);
  },
);

export const catalogueCommands = [
  addTier,
  changeTier,
  setTierActive,
  addPrice,
  setPriceActive,
  addField,
  changeField,
  removeField,
  reorder,
  list,
];

function command<T>(name: string, given: fc.Arbitrary<T>, act: Act<T>): fc.Arbitrary<Command> {
  return given.map((value) => ({
    check: () => true,
    run: (model, real) => act(model, real, value),
    toString: () => `${name}(${fc.stringify(value)})`,
  }));
}

/** An act on the model's tier at an index; the answer, where there is one, has to show the tier as the model has it. */
function onTier<T extends { at: number }>(
  act: (
    expected: ModelTier,
    real: RealCatalogue,
    id: string,
    given: T,
    model: CatalogueModel,
  ) => Promise<z.infer<typeof tier> | undefined>,
): Act<T> {
  return async (model, real, given) => {
    const index = given.at % Math.max(1, model.tiers.length);
    const [expected, id] = [model.tiers[index], real.tiers[index]?.id];
    if (expected === undefined || id === undefined) return;
    const answer = await act(expected, real, id, given, model);
    if (answer !== undefined) expect(asModelTier(answer)).toEqual(expected);
  };
}

/** Sends a request that has to have that status; its answer where it is a success. */
async function send<T>(
  real: RealCatalogue,
  status: number,
  shape: z.ZodType<T> | undefined,
  method: string,
  path: string,
  body?: unknown,
): Promise<T | undefined> {
  real.steps += 1;
  const answer = await real.caller.request(method, `${real.path}${path}`, body);
  expect(answer.status, `${method} ${path} ${answer.text}`).toBe(status);
  return status === 200 ? shape?.parse(JSON.parse(answer.text)) : undefined;
}

function asModelPrice(price: { interval: string; intervalCount: number; currency: string; amount: number }) {
  return { shape: `${price.interval} ${price.intervalCount} ${price.currency}`, amount: price.amount };
}

function asModelTier({ name, weight, order, isActive, prices }: z.infer<typeof tier>): ModelTier {
  return {
    name,
    weight,
    order,
    isActive,
    prices: prices.map((price) => ({ ...asModelPrice(price), isActive: price.isActive })),
  };
}

function pageIn<T>(rows: readonly T[], page: number, perPage: number): readonly T[] {
  const clamped = Math.min(page, Math.max(1, Math.ceil(rows.length / perPage)));
  return rows.slice((clamped - 1) * perPage, clamped * perPage);
}
