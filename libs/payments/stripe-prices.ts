import type { Stripe } from "stripe";
import type { Payments, PriceRequest, ProviderPrice } from "./payments.ts";
import { answered, callStripe, isRefusal, isRepeatedFailure } from "./stripe-errors.ts";
import { inAccount, newIntent, writeIn } from "./stripe-request.ts";
import { idOf, toStripeInterval } from "./stripe-vocabulary.ts";

/** What is for sale. */
export function priceCalls(
  stripe: Stripe,
): Pick<Payments, "ensurePrice" | "archivePrice" | "archiveProduct"> {
  return {
    ensurePrice: (request) => callStripe(() => ensurePrice(stripe, request)),

    archivePrice: (id, { active, account, idempotencyKey }) =>
      callStripe(async () => {
        answered("price", await stripe.prices.update(id, { active }, writeIn(account, idempotencyKey)));
      }),

    archiveProduct: (id, { active, name, account, idempotencyKey }) =>
      callStripe(async () => {
        const change = { active, ...(name === undefined ? {} : { name }) };
        answered("product", await stripe.products.update(id, change, writeIn(account, idempotencyKey)));
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
  try {
    return await createPrice(stripe, request, `price-${request.tierPriceId}`);
  } catch (error) {
    if (!isRepeatedFailure(error) && !isTaken(error, "lookup_key")) throw error;
    const madeMeanwhile = await findPrice(stripe, request);
    return madeMeanwhile ?? (await createPrice(stripe, request, newIntent("price")));
  }
}

async function findPrice(
  stripe: Stripe,
  { account, tierPriceId }: PriceRequest,
): Promise<ProviderPrice | null> {
  const query = { lookup_keys: [tierPriceId], limit: 1 };
  const { data } = answered("list", await stripe.prices.list(query, inAccount(account)));
  return data[0] === undefined ? null : toProviderPrice(data[0]);
}

async function createPrice(
  stripe: Stripe,
  request: PriceRequest,
  idempotencyKey: string,
): Promise<ProviderPrice> {
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
    writeIn(request.account, idempotencyKey),
  );
  return toProviderPrice(answered("price", price));
}

/** The tier's other prices, or somebody at the same time, may have made it. */
async function ensureProduct(stripe: Stripe, request: PriceRequest): Promise<void> {
  try {
    const product = await stripe.products.create(
      {
        id: request.tierId,
        name: request.tierName,
        metadata: { tierId: request.tierId, workspaceId: request.workspaceId },
      },
      writeIn(request.account, newIntent("product")),
    );
    answered("product", product);
  } catch (error) {
    if (!isTaken(error, "id")) throw error;
  }
}

/** Whether Stripe refused to make an object since another one has that unique property. */
function isTaken(error: unknown, property: string): boolean {
  return isRefusal(error) && (error.code === "resource_already_exists" || error.param === property);
}

function toProviderPrice(price: Stripe.Price): ProviderPrice {
  return { providerProductId: idOf(price.product), providerPriceId: price.id };
}
