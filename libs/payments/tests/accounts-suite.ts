import { expect, it } from "vitest";
import { aPrice, openCheckout } from "./requests.ts";
import type { ProcessorUnderTest } from "./sales.ts";
import { all, aReadyAccount, subscribe } from "./sales.ts";

/** Connected accounts, and sales in them. */
export function describeAccounts(processor: () => ProcessorUnderTest): void {
  it("makes an account that cannot charge before its owner has answered, and can afterwards", async () => {
    const { payments, setUp } = processor();
    const request = { workspaceId: "ws_new", email: "owner@weekly.example", idempotencyKey: "one-account" };

    const { accountId } = await payments.createAccount(request);
    const again = await payments.createAccount(request);
    const before = await payments.readAccount(accountId);
    const link = await payments.onboardingLink(accountId, {
      refreshUrl: "http://127.0.0.1/again",
      returnUrl: "http://127.0.0.1/done",
    });
    await setUp(link);

    expect(again).toEqual({ accountId });
    expect(before).toEqual({
      id: accountId,
      chargesEnabled: false,
      payoutsEnabled: false,
      detailsSubmitted: false,
    });
    expect(await payments.readAccount(accountId)).toEqual({
      id: accountId,
      chargesEnabled: true,
      payoutsEnabled: true,
      detailsSubmitted: true,
    });
  });

  it("knows no account that is not connected", async () => {
    const { payments } = processor();

    await expect(payments.readAccount("acct_missing")).rejects.toMatchObject({ code: "ACCOUNT_GONE" });
  });

  it("sells in a connected account, for the platform's fee, and is found nowhere else", async () => {
    const { payments, stripe } = processor();
    const account = await aReadyAccount(processor());
    const price = aPrice({ account });

    const sold = await subscribe(processor(), price);

    const { application_fee_percent } = await stripe.subscriptions.retrieve(
      sold.id,
      {},
      { stripeAccount: account },
    );
    expect(sold).toMatchObject({ status: "Active", paidAmount: 4900 });
    expect(application_fee_percent).toBe(2.5);
    expect((await all(payments.listSubscriptions(account))).map(({ id }) => id)).toEqual([sold.id]);
    expect(
      (await all(payments.listInvoices({ account, since: 0 }))).map((one) => one.subscriptionId),
    ).toEqual([sold.id]);
    await expect(payments.readSubscription(sold.id, null)).rejects.toMatchObject({ code: "NOT_FOUND" });
  });

  it("makes the price of one tier once in each account", async () => {
    const { payments } = processor();
    const account = await aReadyAccount(processor());
    const price = aPrice();

    const own = await payments.ensurePrice(price);
    const connected = await payments.ensurePrice({ ...price, account });

    expect(connected.processorPriceId).not.toBe(own.processorPriceId);
    expect(await payments.ensurePrice({ ...price, account })).toEqual(connected);
    expect(await payments.ensurePrice(price)).toEqual(own);
  });

  it("does there everything that it does in the platform's own account", async () => {
    const { payments } = processor();
    const account = await aReadyAccount(processor());
    const write = () => ({ account, idempotencyKey: crypto.randomUUID() });
    const price = aPrice({ account });
    const { id, customerId: processorCustomerId } = await subscribe(processor(), price);
    const { processorPriceId, processorProductId } = await payments.ensurePrice(price);

    const paused = await payments.stopSubscription(id, { ...write(), reason: "paused", at: Date.now() });
    const resumed = await payments.releaseSubscription(id, write());
    const canceled = await payments.cancelSubscription(id, { ...write(), atPeriodEnd: false });
    const link = await payments.portalLink({ account, processorCustomerId, returnUrl: "http://127.0.0.1/" });
    await payments.archivePrice(processorPriceId, { ...write(), active: false });
    await payments.archiveProduct(processorProductId, { ...write(), active: false });

    expect([paused.status, resumed.status, canceled.status]).toEqual(["Paused", "Active", "Canceled"]);
    expect(URL.canParse(link)).toBe(true);
    await expect(openCheckout(payments, price)).rejects.toMatchObject({ code: "PROCESSOR_FAILED" });
  });
}
