import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buy } from "#libs/payments/tests/purchase.ts";
import { aPrice } from "#libs/payments/tests/requests.ts";
import { runSandbox, SECRET_KEY } from "#libs/payments/tests/running-sandbox.ts";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";

const sandbox = await runSandbox();
afterAll(() => sandbox.close());
const { stripe } = sandbox;

describe("a list", () => {
  const names = Array.from({ length: 23 }, (_, index) => `Product ${index}`);

  beforeAll(async () => {
    for (const name of names) await stripe.products.create({ name });
  });

  it("has ten objects, newest first, unless the request sets a limit", async () => {
    const page = await stripe.products.list();

    expect(page.data.map(({ name }) => name)).toEqual(names.toReversed().slice(0, 10));
    expect(page.has_more).toBe(true);
  });

  it("can be walked to its end, each object once", async () => {
    const walked: string[] = [];

    for await (const { name } of stripe.products.list({ limit: 5 })) walked.push(name);

    expect(walked).toEqual(names.toReversed());
  });

  it("can be narrowed to a time", async () => {
    const { latest_invoice: id, created } = await buy(sandbox);

    const from = await stripe.invoices.list({ created: { gte: created }, limit: 100 });
    const later = await stripe.invoices.list({ created: { gte: created + 60 } });

    expect(from.data.map((invoice) => invoice.id)).toContain(id);
    expect(later.data).toHaveLength(0);
  });

  it.each([{ limit: 0 }, { limit: 101 }, { starting_after: "prod_missing" }])(
    "refuses %o",
    async (params) => {
      const [param] = Object.keys(params);

      await expect(stripe.products.list(params)).rejects.toMatchObject({ statusCode: 400, param });
    },
  );
});

describe("an idempotency key", () => {
  it("repeats a refusal too, and says that it does", async () => {
    const { url, init } = rawWrite("/v1/billing_portal/sessions", "customer=cus_missing", "refusal");

    const first = await fetch(url, init);
    const again = await fetch(url, init);

    expect([first.status, again.status]).toEqual([400, 400]);
    expect(await again.json()).toEqual(await first.json());
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect(again.headers.get("idempotent-replayed")).toBe("true");
  });

  it("is still free after a request that could not be read", async () => {
    await expect(
      stripe.accounts.create({ email: "not an address" }, { idempotencyKey: "free" }),
    ).rejects.toMatchObject({ code: "parameter_invalid" });

    const { email } = await stripe.accounts.create(
      { email: "ads@harbour.example" },
      { idempotencyKey: "free" },
    );

    expect(email).toBe("ads@harbour.example");
  });

  it("is forgotten after a day", async () => {
    const options = { idempotencyKey: "a day" };
    const first = await stripe.products.create({ name: "First" }, options);
    await sandbox.advance(2);

    const second = await stripe.products.create({ name: "Second" }, options);

    expect(second.id).not.toBe(first.id);
  });

  it("is another key in another account", async () => {
    const { id: stripeAccount } = await stripe.accounts.create({});

    const ours = await stripe.products.create({ name: "Ours" }, { idempotencyKey: "shared" });
    const theirs = await stripe.products.create(
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
    const { processorPriceId, processorProductId } = await sandbox.payments.ensurePrice(price);

    for (const archive of [
      (active: boolean) => stripe.prices.update(processorPriceId, { active }),
      (active: boolean) => stripe.products.update(processorProductId, { active }),
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

it("expands several levels, and nothing that is no object", async () => {
  const { id, latest_invoice: invoice } = await buy(sandbox);
  const deep = "data.payment.payment_intent.latest_charge";

  const { data } = await stripe.invoicePayments.list({
    invoice: String(invoice),
    expand: [deep, "data.invoice"],
  });

  expect(data).toMatchObject([
    {
      invoice: { id: invoice, customer: expect.any(String) },
      payment: { payment_intent: { amount: 4900, latest_charge: { paid: true } } },
    },
  ]);
  for (const path of ["latest_invoice.status", "status.nothing", "nothing"]) {
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

it.each(foreignTargets("/v1/products"))("answers 404 to %s, key or not", async (target) => {
  const headers = { authorization: `Bearer ${SECRET_KEY}` };

  const statuses = [
    await statusOfTarget(sandbox.apiUrl, target, { headers }),
    await statusOfTarget(sandbox.apiUrl, target),
  ];

  expect(statuses).toEqual([404, 404]);
});
