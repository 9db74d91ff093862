import { z } from "zod";
import { CURRENCIES, chargeStep, formatMoney, largestAmount } from "#libs/domain/money.ts";
import { invalidRequest } from "../engine/api-error.ts";
import { newStripeId } from "../engine/ids.ts";
import type { Price, Product } from "../engine/records.ts";
import type { AccountStore } from "../engine/store.ts";
import {
  boolean,
  endpoint,
  expand,
  integer,
  listing,
  metadata,
  pageOf,
  retrieval,
  text,
} from "./endpoint.ts";

const LONGEST = { day: 1095, week: 156, month: 36, year: 3 } as const;

const newProductParams = z.strictObject({
  id: text.max(255).optional(),
  name: text,
  metadata: metadata.default({}),
  expand,
});
const productChange = z.strictObject({ name: text.optional(), active: boolean.optional(), expand });
const productListing = z.strictObject({ ...listing, ids: z.array(text).max(100).optional() });

const newPriceParams = z.strictObject({
  product: text,
  unit_amount: integer.refine((amount) => amount >= 0, "Must be at least 0"),
  currency: z.string().transform((code) => code.toLowerCase()),
  recurring: z
    .strictObject({
      interval: z.enum(["day", "week", "month", "year"]),
      interval_count: integer.default(1),
    })
    .refine(
      ({ interval, interval_count: count }) => count >= 1 && count <= LONGEST[interval],
      "Must be between one interval and three years",
    ),
  lookup_key: text.max(200).optional(),
  metadata: metadata.default({}),
  expand,
});
const priceChange = z.strictObject({ active: boolean.optional(), expand });
const priceListing = z.strictObject({
  ...listing,
  product: text.optional(),
  active: boolean.optional(),
  lookup_keys: z.array(text).max(10).optional(),
});

export const PRODUCT_ENDPOINTS = [
  endpoint("POST", "/v1/products", newProductParams, ({ records, now }, params) => {
    const { id = newStripeId("prod"), name } = params;
    if (records.find("product", id) !== undefined) {
      throw invalidRequest("Product already exists.", "id", "resource_already_exists");
    }
    const product: Product = {
      id,
      object: "product",
      active: true,
      created: now(),
      metadata: params.metadata,
      name,
    };
    records.save("product", product);
    return product;
  }),

  endpoint("GET", "/v1/products", productListing, (engine, params) =>
    pageOf(engine, "product", "/v1/products", params, { id: params.ids }),
  ),

  endpoint("GET", "/v1/products/:id", retrieval, ({ records }, _params, id) => records.get("product", id)),

  endpoint("POST", "/v1/products/:id", productChange, ({ records }, { active, name }, id) => {
    const before = records.get("product", id);
    const product = { ...before, active: active ?? before.active, name: name ?? before.name };
    records.save("product", product);
    return product;
  }),

  endpoint("POST", "/v1/prices", newPriceParams, ({ records, now }, params) => {
    requireTakenPrice(params);
    const product = records.get("product", params.product, "product");
    if (!product.active) {
      throw invalidRequest("The product for the price is not active.", "product", "product_inactive");
    }
    requireFreeKey(records, params.lookup_key);
    const price: Price = {
      id: newStripeId("price"),
      object: "price",
      active: true,
      created: now(),
      currency: params.currency,
      lookup_key: params.lookup_key ?? null,
      metadata: params.metadata,
      product: product.id,
      recurring: params.recurring,
      unit_amount: params.unit_amount,
    };
    records.save("price", price);
    return price;
  }),

  endpoint("GET", "/v1/prices", priceListing, (engine, params) => {
    const { product, active, lookup_keys: keys } = params;
    return pageOf(engine, "price", "/v1/prices", params, { product, active, lookup_key: keys });
  }),

  endpoint("GET", "/v1/prices/:id", retrieval, ({ records }, _params, id) => records.get("price", id)),

  endpoint("POST", "/v1/prices/:id", priceChange, ({ records }, { active }, id) => {
    const before = records.get("price", id);
    const price = { ...before, active: active ?? before.active };
    records.save("price", price);
    return price;
  }),
];

/** As with Stripe, some currencies are not taken, no price is above eight digits in most, and in some its last digits are 0. */
function requireTakenPrice({
  currency,
  unit_amount: amount,
}: Pick<z.output<typeof newPriceParams>, "currency" | "unit_amount">): void {
  if (!CURRENCIES.includes(currency)) {
    const supported = `Stripe currently supports these currencies: ${CURRENCIES.join(", ")}`;
    throw invalidRequest(`Invalid currency: ${currency}. ${supported}`, "currency");
  }
  const most = largestAmount(currency);
  if (amount > most) {
    const message = `Amount must be no more than ${formatMoney(most, currency, "en-US")}`;
    throw invalidRequest(message, "unit_amount", "amount_too_large");
  }
  if (amount % chargeStep(currency) !== 0) {
    throw invalidRequest(
      `Amounts in ${currency} must be divisible by ${chargeStep(currency)}`,
      "unit_amount",
    );
  }
}

/** A lookup key identifies one price of an account. */
function requireFreeKey(records: AccountStore, key: string | undefined): void {
  if (key === undefined) return;
  const [taken] = records.list("price", { where: { lookup_key: key }, limit: 1 });
  if (taken === undefined) return;
  throw invalidRequest(`A price (\`${taken.id}\`) already uses that lookup key.`, "lookup_key");
}
