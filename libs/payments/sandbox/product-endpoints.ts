import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newPrice, newProduct } from "./new-products.ts";
import { pageOf } from "./pagination.ts";
import { boolean, currency, datedListing, expand, integer, metadata, text } from "./parameters.ts";
import type { Price, Product } from "./records.ts";
import type { World } from "./world.ts";

const LONGEST_YEARS = { day: 1095, week: 156, month: 36, year: 3 } as const;

const retrieval = z.strictObject({ expand });

const newProductParams = z.strictObject({
  id: text.max(255).optional(),
  name: text,
  description: text.optional(),
  active: boolean.default(true),
  metadata: metadata.default({}),
  expand,
});

const productChange = z.strictObject({
  name: text.optional(),
  description: z.string().max(5000).optional(),
  active: boolean.optional(),
  metadata: metadata.optional(),
  expand,
});

const newPriceParams = z.strictObject({
  product: text,
  unit_amount: integer.refine((amount) => amount >= 0, "Must be at least 0"),
  currency,
  recurring: z
    .strictObject({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: integer.default(1),
    })
    .refine(
      ({ interval, interval_count: count }) => count >= 1 && count <= LONGEST_YEARS[interval],
      "Must be between one interval and three years",
    ),
  lookup_key: text.max(200).optional(),
  nickname: text.optional(),
  active: boolean.default(true),
  metadata: metadata.default({}),
  expand,
});

const priceChange = z.strictObject({
  active: boolean.optional(),
  lookup_key: text.max(200).optional(),
  nickname: text.optional(),
  metadata: metadata.optional(),
  expand,
});

const productListing = z.strictObject({
  ...datedListing,
  active: boolean.optional(),
  ids: z.array(text).max(100).optional(),
});
const priceListing = z.strictObject({
  ...datedListing,
  product: text.optional(),
  active: boolean.optional(),
  currency: currency.optional(),
  lookup_keys: z.array(text).max(10).optional(),
});

export const PRODUCT_ENDPOINTS = [
  endpoint("POST", "/v1/products", newProductParams, ({ records, now }, params) => {
    if (params.id !== undefined && records.find("product", params.id) !== undefined) {
      throw invalidRequest("Product already exists.", "id", "resource_already_exists");
    }
    const { id, name, description, active } = params;
    const product = { ...newProduct({ id, name, description }, params.metadata, now()), active };
    records.save("product", product);
    return product;
  }),

  endpoint("GET", "/v1/products", productListing, ({ records }, params) =>
    pageOf(records, "product", "/v1/products", params, { active: params.active, id: params.ids }),
  ),

  endpoint("GET", "/v1/products/:id", retrieval, (world, _params, id) => productOf(world, id)),

  endpoint("POST", "/v1/products/:id", productChange, (world, params, id) => {
    const before = productOf(world, id);
    const product: Product = {
      ...before,
      name: params.name ?? before.name,
      description: params.description === undefined ? before.description : params.description || null,
      active: params.active ?? before.active,
      metadata: { ...before.metadata, ...params.metadata },
      updated: world.now(),
    };
    world.records.save("product", product);
    return product;
  }),

  endpoint("POST", "/v1/prices", newPriceParams, (world, params) => {
    const product = productOf(world, params.product, "product");
    if (!product.active) {
      throw invalidRequest("The product for the price is not active.", "product", "product_inactive");
    }
    const lookupKey = params.lookup_key ?? null;
    requireFreeKey(world, lookupKey, null);
    const { interval, interval_count: intervalCount } = params.recurring;
    const made = newPrice(
      {
        product: params.product,
        unitAmount: params.unit_amount,
        currency: params.currency,
        interval,
        intervalCount,
        lookupKey,
      },
      params.metadata,
      world.now(),
    );
    const price = { ...made, active: params.active, nickname: params.nickname ?? null };
    world.records.save("price", price);
    return price;
  }),

  endpoint("GET", "/v1/prices", priceListing, ({ records }, params) => {
    const { product, active, currency: billed, lookup_keys: keys } = params;
    const where = { product, active, currency: billed, lookup_key: keys };
    return pageOf(records, "price", "/v1/prices", params, where);
  }),

  endpoint("GET", "/v1/prices/:id", retrieval, (world, _params, id) => priceOf(world, id)),

  endpoint("POST", "/v1/prices/:id", priceChange, (world, params, id) => {
    const before = priceOf(world, id);
    requireFreeKey(world, params.lookup_key ?? null, id);
    const price: Price = {
      ...before,
      active: params.active ?? before.active,
      lookup_key: params.lookup_key ?? before.lookup_key,
      nickname: params.nickname ?? before.nickname,
      metadata: { ...before.metadata, ...params.metadata },
    };
    world.records.save("price", price);
    return price;
  }),
];

function productOf({ records }: World, id: string, param?: string): Product {
  const product = records.find("product", id);
  if (product === undefined) throw missing("product", id, param);
  return product;
}

function priceOf({ records }: World, id: string): Price {
  const price = records.find("price", id);
  if (price === undefined) throw missing("price", id);
  return price;
}

/** A lookup key leads to one price of an account. */
function requireFreeKey({ records }: World, key: string | null, own: string | null): void {
  if (key === null) return;
  const taken = records.list("price", { where: { lookup_key: key }, limit: 1 })[0];
  if (taken === undefined || taken.id === own) return;
  throw invalidRequest(`A price (\`${taken.id}\`) already uses that lookup key.`, "lookup_key");
}
