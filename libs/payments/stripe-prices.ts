import { hash } from "node:crypto";
import type { Stripe } from "stripe";
import type { Payments, PriceRequest, ProviderPrice } from "./payments.ts";
import { alreadyExists, callStripe } from "./stripe-errors.ts";
import { inAccount, writeIn } from "./stripe-request.ts";
import { idOf, toStripeInterval } from "./stripe-vocabulary.ts";

/** What is for sale. */
export function priceCalls(
  stripe: Stripe,
): Pick<Payments, "ensurePrice" | "archivePrice" | "archiveProduct"> {
  return {
    ensurePrice: (request) => callStripe(() => ensurePrice(stripe, request)),

    archivePrice: (id, { active, account, idempotencyKey }) =>
      callStripe(async () => {
        await stripe.prices.update(id, { active }, writeIn(account, idempotencyKey));
      }),

    archiveProduct: (id, { active, account, idempotencyKey }) =>
      callStripe(async () => {
        await stripe.products.update(id, { active }, writeIn(account, idempotencyKey));
      }),
  };
}

/**
 * Never makes a product or a price twice. Idempotency keys are forgotten after a day, so a product's id is our tier's
 * and a price's lookup key, unique in the account, is our tier price's.
 */
async function ensurePrice(stripe: Stripe, request: PriceRequest): Promise<ProviderPrice> {
  const known = await findPrice(stripe, request);
  if (known !== null) return known;
  await ensureProduct(stripe, request);
  const price = await stripe.prices.create(
    {
      product: request.tierId,
      unit_amount: request.amount,
      currency: request.currency,
      recurring: {
        interval: toStripeInterval(request.interval),
        interval_count: request.intervalCount,
      },
      lookup_key: request.tierPriceId,
      metadata: { tierPriceId: request.tierPriceId, workspaceId: request.workspaceId },
    },
    writeIn(request.account, `price-${request.tierPriceId}`),
  );
  return toProviderPrice(price);
}

async function findPrice(
  stripe: Stripe,
  { account, tierPriceId }: PriceRequest,
): Promise<ProviderPrice | null> {
  const { data } = await stripe.prices.list({ lookup_keys: [tierPriceId], limit: 1 }, inAccount(account));
  return data[0] === undefined ? null : toProviderPrice(data[0]);
}

/** The name is part of the key: a tier that was renamed since is a request of its own, and then exists already. */
async function ensureProduct(stripe: Stripe, request: PriceRequest): Promise<void> {
  try {
    await stripe.products.create(
      {
        id: request.tierId,
        name: request.tierName,
        metadata: { tierId: request.tierId, workspaceId: request.workspaceId },
      },
      writeIn(request.account, `product-${request.tierId}-${hash("sha256", request.tierName)}`),
    );
  } catch (error) {
    if (!alreadyExists(error)) throw error;
  }
}

function toProviderPrice(price: Stripe.Price): ProviderPrice {
  return { providerProductId: idOf(price.product), providerPriceId: price.id };
}
