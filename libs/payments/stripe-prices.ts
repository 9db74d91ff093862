import type { Stripe } from "stripe";
import type { Payments, PriceRequest, ProcessorPrice } from "./payments.ts";
import { answered, callStripe, isRefusal, isRepeatedFailure } from "./stripe-errors.ts";
import { inAccount, newIntent, writeIn } from "./stripe-request.ts";
import { idOf, toStripeInterval } from "./stripe-vocabulary.ts";

/** Creates, finds and archives products and prices. */
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
 * Never creates a product or a price twice. Stripe forgets idempotency keys after a day, so a product has the id of our
 * tier, and a price has the id of our tier price as its lookup key, which is unique per account.
 */
async function ensurePrice(stripe: Stripe, request: PriceRequest): Promise<ProcessorPrice> {
  const known = await findPrice(stripe, request);
  if (known !== null) return known;
  await ensureProduct(stripe, request);
  try {
    return await createPrice(stripe, request, `price-${request.tierPriceId}`);
  } catch (error) {
    if (!isRepeatedFailure(error) && !isTaken(error, "lookup_key")) throw error;
    const createdMeanwhile = await findPrice(stripe, request);
    return createdMeanwhile ?? (await createPrice(stripe, request, newIntent("price")));
  }
}

async function findPrice(
  stripe: Stripe,
  { account, tierPriceId }: PriceRequest,
): Promise<ProcessorPrice | null> {
  const query = { lookup_keys: [tierPriceId], limit: 1 };
  const { data } = answered("list", await stripe.prices.list(query, inAccount(account)));
  return data[0] === undefined ? null : toProcessorPrice(data[0]);
}

async function createPrice(
  stripe: Stripe,
  request: PriceRequest,
  idempotencyKey: string,
): Promise<ProcessorPrice> {
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
  return toProcessorPrice(answered("price", price));
}

/** Another price of the tier, or a concurrent call, may have created it. */
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

/** Whether Stripe rejected a new object because another one has that unique property. */
function isTaken(error: unknown, property: string): boolean {
  return isRefusal(error) && (error.code === "resource_already_exists" || error.param === property);
}

function toProcessorPrice(price: Stripe.Price): ProcessorPrice {
  return { processorProductId: idOf(price.product), processorPriceId: price.id };
}
