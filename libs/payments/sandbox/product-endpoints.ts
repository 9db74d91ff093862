import { z } from "zod";
import { invalidRequest, missing } from "./api-error.ts";
import { endpoint } from "./endpoint.ts";
import { newPrice, newProduct } from "./new-products.ts";
import { pageOf } from "./pagination.ts";
import { boolean, expand, integer, listing, metadata, text } from "./parameters.ts";

const LONGEST_YEARS = { day: 1095, week: 156, month: 36, year: 3 } as const;

const retrieval = z.strictObject({ expand });

const newProductParams = z.strictObject({
  id: text.max(255).optional(),
  name: text,
  description: text.optional(),
  metadata: metadata.default({}),
  expand,
});

const newPriceParams = z.strictObject({
  product: text,
  unit_amount: integer.refine((amount) => amount >= 0, "Must be at least 0"),
  currency: z
    .string()
    .regex(/^[A-Za-z]{3}$/, "Invalid currency")
    .transform((code) => code.toLowerCase()),
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
  metadata: metadata.default({}),
  expand,
});

const priceListing = z.strictObject({
  ...listing,
  product: text.optional(),
  active: boolean.optional(),
  lookup_keys: z.array(text).max(10).optional(),
});

export const PRODUCT_ENDPOINTS = [
  endpoint("POST", "/v1/products", newProductParams, ({ state, now }, params) => {
    if (params.id !== undefined && state.find("product", params.id) !== undefined) {
      throw invalidRequest("Product already exists.", "id", "resource_already_exists");
    }
    const { id, name, description } = params;
    const product = newProduct({ id, name, description }, params.metadata, now());
    state.save("product", product);
    return product;
  }),

  endpoint("GET", "/v1/products", z.strictObject(listing), ({ state }, params) =>
    pageOf(state.list("product"), "/v1/products", params),
  ),

  endpoint("GET", "/v1/products/:id", retrieval, ({ state }, _params, id) => {
    const product = state.find("product", id);
    if (product === undefined) throw missing("product", id);
    return product;
  }),

  endpoint("POST", "/v1/prices", newPriceParams, ({ state, now }, params) => {
    if (state.find("product", params.product) === undefined) {
      throw missing("product", params.product, "product");
    }
    const lookupKey = params.lookup_key ?? null;
    const holder = state.list("price").find((price) => lookupKey !== null && price.lookup_key === lookupKey);
    if (holder !== undefined) {
      throw invalidRequest(`A price (\`${holder.id}\`) already uses that lookup key.`, "lookup_key");
    }
    const { interval, interval_count: intervalCount } = params.recurring;
    const price = newPrice(
      {
        product: params.product,
        unitAmount: params.unit_amount,
        currency: params.currency,
        interval,
        intervalCount,
        lookupKey,
      },
      params.metadata,
      now(),
    );
    state.save("price", price);
    return price;
  }),

  endpoint("GET", "/v1/prices", priceListing, ({ state }, params) => {
    const { product, active, lookup_keys: keys } = params;
    const prices = state
      .list("price")
      .filter((price) => product === undefined || price.product === product)
      .filter((price) => active === undefined || price.active === active)
      .filter((price) => keys === undefined || keys.includes(price.lookup_key ?? ""));
    return pageOf(prices, "/v1/prices", params);
  }),

  endpoint("GET", "/v1/prices/:id", retrieval, ({ state }, _params, id) => {
    const price = state.find("price", id);
    if (price === undefined) throw missing("price", id);
    return price;
  }),
];
