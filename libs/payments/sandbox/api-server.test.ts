import type { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";
import { buy } from "../tests/purchase.ts";
import { aPrice } from "../tests/requests.ts";
import { type RunningSandbox, runSandbox, SECRET_KEY } from "../tests/running-sandbox.ts";

let sandbox: RunningSandbox;
let stripe: Stripe;

beforeAll(async () => {
  sandbox = await runSandbox();
  stripe = sandbox.stripe;
});

afterAll(() => sandbox.close());

describe("a list", () => {
  const names = Array.from({ length: 23 }, (_, index) => `Customer ${index}`);
  let made: Stripe.Customer[];

  beforeAll(async () => {
    made = [];
    for (const name of names)
      made.push(await stripe.customers.create({ name, email: "many@harbour.example" }));
  });

  const ofMany = { email: "many@harbour.example" };

  it("has ten objects, newest first, unless asked otherwise", async () => {
    const page = await stripe.customers.list(ofMany);

    expect(page.data.map(({ name }) => name)).toEqual(names.toReversed().slice(0, 10));
    expect(page.has_more).toBe(true);
  });

  it("can be walked to its end, each object once", async () => {
    const walked: string[] = [];

    for await (const { name } of stripe.customers.list({ ...ofMany, limit: 5 })) walked.push(name ?? "");

    expect(walked).toEqual(names.toReversed());
  });

  it("goes back from an object to the nearest before it", async () => {
    const page = await stripe.customers.list({ ...ofMany, limit: 3, ending_before: made[10]?.id ?? "" });

    expect(page.data.map(({ name }) => name)).toEqual(["Customer 13", "Customer 12", "Customer 11"]);
    expect(page.has_more).toBe(true);
  });

  it("can be narrowed to a time", async () => {
    const { created } = made[0] ?? { created: 0 };

    const from = await stripe.customers.list({ ...ofMany, created: { gte: created }, limit: 100 });
    const before = await stripe.customers.list({ ...ofMany, created: { lt: created } });

    expect(from.data).toHaveLength(23);
    expect(before.data).toHaveLength(0);
  });

  it.each([{ limit: 0 }, { limit: 101 }, { starting_after: "cus_missing" }])("refuses %o", async (params) => {
    const [param] = Object.keys(params);

    await expect(stripe.customers.list(params)).rejects.toMatchObject({ statusCode: 400, param });
  });
});

describe("an idempotency key", () => {
  it("repeats a refusal too, and says that it does", async () => {
    const { url, init } = rawWrite("/v1/refunds", "charge=ch_missing", "refusal");

    const first = await fetch(url, init);
    const again = await fetch(url, init);

    expect([first.status, again.status]).toEqual([400, 400]);
    expect(await again.json()).toEqual(await first.json());
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  it("is still free after a request that could not be read", async () => {
    await expect(
      stripe.customers.create({ email: "not an address" }, { idempotencyKey: "free" }),
    ).rejects.toMatchObject({ code: "parameter_invalid" });

    const { email } = await stripe.customers.create(
      { email: "ads@harbour.example" },
      { idempotencyKey: "free" },
    );

    expect(email).toBe("ads@harbour.example");
  });

  it("is forgotten after a day", async () => {
    const options = { idempotencyKey: "a day" };
    const first = await stripe.customers.create({ name: "First" }, options);
    await sandbox.advance(2);

    const second = await stripe.customers.create({ name: "Second" }, options);

    expect(second.id).not.toBe(first.id);
  });

  it("is another key in another account", async () => {
    const { id: stripeAccount } = await stripe.accounts.create({});

    const ours = await stripe.customers.create({ name: "Ours" }, { idempotencyKey: "shared" });
    const theirs = await stripe.customers.create(
      { name: "Theirs" },
      { idempotencyKey: "shared", stripeAccount },
    );

    expect(theirs.id).not.toBe(ours.id);
  });
});

describe("what is archived", () => {
  it("is no longer sold, keeps what was bought, and comes back", async () => {
    const price = aPrice();
    const { id } = await buy(sandbox, { price });
    const { providerPriceId, providerProductId } = await sandbox.payments.ensurePrice(price);

    for (const archive of [
      (active: boolean) => stripe.prices.update(providerPriceId, { active }),
      (active: boolean) => stripe.products.update(providerProductId, { active }),
    ]) {
      await archive(false);
      await expect(buy(sandbox, { price })).rejects.toMatchObject({ code: "PROCESSOR_FAILED" });
      await archive(true);
    }

    expect((await buy(sandbox, { price })).status).toBe("active");
    expect((await stripe.subscriptions.retrieve(id)).status).toBe("active");
    expect((await stripe.prices.list({ active: false })).data).toEqual([]);
  });
});

it("takes coupons and promotion codes of one's own", async () => {
  const coupon = await stripe.coupons.create({ percent_off: 12.5, duration: "once", max_redemptions: 1 });
  const promotion = await stripe.promotionCodes.create({
    promotion: { type: "coupon", coupon: coupon.id },
    code: "harbour",
  });

  const { id } = await buy(sandbox, { payer: { promotionCode: " Harbour " } });

  const { data } = await stripe.invoices.list({ subscription: id });
  expect(data[0]).toMatchObject({ total: 4287, total_discount_amounts: [{ amount: 613 }] });
  expect(await stripe.promotionCodes.retrieve(promotion.id)).toMatchObject({ times_redeemed: 1 });
  expect(await stripe.coupons.retrieve(coupon.id)).toMatchObject({ times_redeemed: 1, valid: false });
  await expect(buy(sandbox, { payer: { promotionCode: "harbour" } })).rejects.toThrow("400");
});

it("expands four levels and no more, and nothing that is no object", async () => {
  const { id } = await buy(sandbox);
  const deep = "latest_invoice.payments.data.payment.payment_intent";

  const { latest_invoice: invoice } = await stripe.subscriptions.retrieve(id, { expand: [deep] });

  expect(invoice).toMatchObject({ payments: { data: [{ payment: { payment_intent: { amount: 4900 } } }] } });
  for (const path of [`${deep}.customer`, "status.nothing", "nothing"]) {
    await expect(stripe.subscriptions.retrieve(id, { expand: [path] })).rejects.toMatchObject({
      param: "expand",
    });
  }
});

function rawWrite(path: string, body: string, key: string) {
  return {
    url: `${sandbox.apiUrl}${path}`,
    init: {
      method: "POST",
      headers: {
        authorization: `Bearer ${SECRET_KEY}`,
        "content-type": "application/x-www-form-urlencoded",
        "idempotency-key": key,
      },
      body,
    },
  };
}

it.each(foreignTargets("/v1/customers"))("answers 404 to %s, key or not", async (target) => {
  const headers = { authorization: `Bearer ${SECRET_KEY}` };

  const statuses = [
    await statusOfTarget(sandbox.apiUrl, target, { headers }),
    await statusOfTarget(sandbox.apiUrl, target),
  ];

  expect(statuses).toEqual([404, 404]);
});
