import { expect, it } from "vitest";
import { aPrice, openCheckout } from "./requests.ts";
import type { ProcessorUnderTest } from "./sales.ts";
import { subscribe } from "./sales.ts";

/** What is for sale. */
export function describePrices(processor: () => ProcessorUnderTest): void {
  const write = (active: boolean) => ({ account: null, active, idempotencyKey: crypto.randomUUID() });

  it("makes a product and a price once, however many ask at the same time", async () => {
    const { payments, stripe } = processor();
    const price = aPrice();

    const made = await Promise.all(Array.from({ length: 8 }, () => payments.ensurePrice(price)));
    const later = await payments.ensurePrice({ ...price, tierName: "Renamed since" });

    expect(new Set([...made, later].map((ids) => JSON.stringify(ids))).size).toBe(1);
    expect((await stripe.prices.list({ product: price.tierId })).data).toHaveLength(1);
  });

  it("keeps the prices of one tier apart under one product, also after the tier was renamed", async () => {
    const { payments } = processor();
    const monthly = aPrice();
    const yearly = aPrice({ tierId: monthly.tierId, tierName: "Cover", interval: "Year", amount: 49_000 });

    const first = await payments.ensurePrice(monthly);
    const second = await payments.ensurePrice(yearly);

    expect(second.processorProductId).toBe(first.processorProductId);
    expect(second.processorPriceId).not.toBe(first.processorPriceId);
  });

  it("makes prices for every interval, free ones and in currencies without a smaller unit", async () => {
    const { payments, stripe } = processor();

    for (const changes of [
      { interval: "Day", intervalCount: 10, amount: 100 },
      { interval: "Week", intervalCount: 2, amount: 0 },
      { interval: "Month", intervalCount: 36, currency: "jpy" },
      { interval: "Year", intervalCount: 3, amount: 99_999_999 },
    ] as const) {
      const { processorPriceId } = await payments.ensurePrice(aPrice(changes));
      const made = await stripe.prices.retrieve(processorPriceId);

      const { interval, intervalCount, amount = 4900 } = { amount: undefined, ...changes };
      expect(made.recurring).toMatchObject({
        interval: interval.toLowerCase(),
        interval_count: intervalCount,
      });
      expect(made.unit_amount).toBe(amount);
    }
  });

  it("sells no archived price, keeps it for who has bought it, and sells it again when it is back", async () => {
    const { payments } = processor();
    const price = aPrice();
    const { id } = await subscribe(processor(), price);
    const { processorPriceId } = await payments.ensurePrice(price);

    await payments.archivePrice(processorPriceId, write(false));
    const refused = openCheckout(payments, price);
    await expect(refused).rejects.toMatchObject({ code: "PROCESSOR_FAILED", canRetry: false });
    expect(await payments.readSubscription(id, null)).toMatchObject({ status: "Active", processorPriceId });
    await payments.archivePrice(processorPriceId, write(true));

    expect(await openCheckout(payments, price)).toMatchObject({ url: expect.any(String) });
  });

  it("archives a product, brings it back under another name, and says so when it does not exist", async () => {
    const { payments, stripe } = processor();
    const { processorProductId } = await payments.ensurePrice(aPrice());

    await payments.archiveProduct(processorProductId, write(false));
    expect(await stripe.products.retrieve(processorProductId)).toMatchObject({ active: false });
    await payments.archiveProduct(processorProductId, { ...write(true), name: "Above the fold" });

    const back = await stripe.products.retrieve(processorProductId);
    expect(back).toMatchObject({ active: true, name: "Above the fold" });
    for (const missing of [
      payments.archiveProduct("prod_missing", write(false)),
      payments.archivePrice("price_missing", write(false)),
    ]) {
      await expect(missing).rejects.toMatchObject({ code: "NOT_FOUND" });
    }
  });
}
