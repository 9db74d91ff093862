import { expect, it, vi } from "vitest";
import { z } from "zod";
import { checkoutContract } from "#libs/contract/checkout.ts";
import { tier } from "#libs/contract/tiers.ts";
import { newId } from "#libs/domain/ids.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { stripe } = service.processor;
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const advertiser = new ApiCaller(service.origin);
const sold = await aTier(publisher, { description: "On every page.", features: [] });
const priceId = sold.prices[0]?.id ?? "";
const started = z.object({ url: z.string(), sessionId: z.string() });
const status = checkoutContract.get["~orpc"].outputSchema;
if (status === undefined) throw new Error("the contract names no status of a checkout");

async function start(body: Record<string, unknown> = { tierPriceId: priceId }) {
  return await advertiser.ok(started, "POST", `${path}/checkout-sessions`, body);
}

it("opens a hosted checkout for a price, without a key", async () => {
  const session = await start();

  const now = await advertiser.ok(status, "GET", `/v1/checkout-sessions/${session.sessionId}`);

  expect(new URL(session.url).pathname).toBe(`/sandbox/checkout/${session.sessionId}`);
  expect((await fetch(session.url)).status).toBe(200);
  expect(session.sessionId.replace(/^cs_(test_)?/, "").length).toBeGreaterThanOrEqual(22);
  expect(now).toMatchObject({
    status: "open",
    workspace: { id: publisher.workspace.id, name: "Example Weekly" },
    tier: { id: sold.id, name: "Gold", description: "On every page." },
    tierPrice: { id: priceId, interval: "Month", intervalCount: 1, amount: 4900, currency: "usd" },
    ad: null,
  });
});

it("keeps the email address in lower case, so that one person is one advertiser", async () => {
  const session = await start({ tierPriceId: priceId, email: "Ads@Example.COM" });

  expect((await stripe.checkout.sessions.retrieve(session.sessionId)).customer_email).toBe("ads@example.com");
});

it("sells to every address that browsers take, and keeps the one with a domain as mail servers write it", async () => {
  const given = { tierPriceId: priceId, email: "a&b=c/d!e@Müller.example" };
  const { sessionId } = await start(given);
  const known = await start({ tierPriceId: priceId });
  for (const [id, email] of [[sessionId], [known.sessionId, given.email]]) {
    const paid = await advertiser.request("POST", `/sandbox/checkout/${id}/complete`, {
      email,
      name: "Müller",
    });
    expect(paid.status).toBe(200);
    await advertiser.request("GET", `/v1/checkout-sessions/${id}`);
  }

  const { rows } = await service.database.pool.query("select email from advertisers where name = 'Müller'");
  expect(rows).toEqual([{ email: "a&b=c/d!e@xn--mller-kva.example" }]);
});

it("keeps the payer's name on one line and readable, because who has paid is not refused", async () => {
  const names = ["Bob\r\nBcc: x@y.z", "\u202Egnp.exe"];
  for (const [index, name] of names.entries()) {
    const { path: session } = await aPaidCheckout(
      service,
      publisher,
      priceId,
      `odd-${index}@example.com`,
      name,
    );
    await advertiser.request("GET", session);
  }

  const { rows } = await service.database.pool.query(
    "select name from advertisers where email like 'odd-%' order by email",
  );
  expect(rows).toEqual([{ name: "Bob Bcc: x@y.z" }, { name: "gnp.exe" }]);
});

it("creates one advertiser per email address, whatever its case", async () => {
  await aPaidCheckout(service, publisher, priceId, "Grace@Example.com");
  await aPaidCheckout(service, publisher, priceId, "grace@example.com");

  const bought = async () => {
    const { rows } = await service.database.pool.query(
      "select advertiser_id from subscriptions s join advertisers a on a.id = s.advertiser_id where a.email = $1",
      ["grace@example.com"],
    );
    return rows.map((row) => row.advertiser_id);
  };
  await vi.waitFor(async () => expect(await bought()).toHaveLength(2), { timeout: 20_000 });
  expect(new Set(await bought()).size).toBe(1);
});

it("accepts only http and https return addresses", async () => {
  await start({ tierPriceId: priceId, cancelUrl: "https://example.com/back?a=1" });
  await start({ tierPriceId: priceId, cancelUrl: "http://example.com" });

  for (const cancelUrl of [
    "javascript:alert(1)",
    "data:text/html,x",
    "/back",
    "example.com",
    "",
    5,
    null,
    "https://",
  ]) {
    expect(
      await advertiser.invalid("POST", `${path}/checkout-sessions`, {
        tierPriceId: priceId,
        cancelUrl,
      }),
      String(cancelUrl),
    ).toEqual(["cancelUrl"]);
  }
});

it("refuses a missing price and a bad email address with 422 at the field", async () => {
  for (const [body, field] of [
    [{}, "tierPriceId"],
    [{ tierPriceId: 5 }, "tierPriceId"],
    [{ tierPriceId: priceId, email: "nobody" }, "email"],
    [{ tierPriceId: priceId, email: "a\u0000@example.com" }, "email"],
    [{ tierPriceId: priceId, email: `${"x".repeat(250)}@example.com` }, "email"],
  ] as const) {
    expect(await advertiser.invalid("POST", `${path}/checkout-sessions`, body)).toEqual([field]);
  }
});

it("answers 404 for an unknown workspace or price and another workspace's price", async () => {
  const neighbour = await aPublisher(service, "Another Weekly");
  const theirs = (await aTier(neighbour)).prices[0]?.id;

  for (const tierPriceId of [theirs, newId("price"), "price_1", "", "\u0000", sold.id]) {
    await advertiser.refused(404, "POST", `${path}/checkout-sessions`, { tierPriceId });
  }
  for (const workspace of [newId("workspace"), "ws_1", "%00", priceId]) {
    await advertiser.refused(404, "POST", `/v1/workspaces/${workspace}/checkout-sessions`, {
      tierPriceId: priceId,
    });
  }
});

it("answers 409 at tierPriceId for an archived price or tier", async () => {
  const archived = await aTier(publisher);
  const withArchivedPrice = await aTier(publisher);
  const [price] = withArchivedPrice.prices;
  await caller.ok(tier, "DELETE", `${path}/tiers/${archived.id}`);
  await caller.ok(tier, "DELETE", `${path}/tiers/${withArchivedPrice.id}/prices/${price?.id}`);

  for (const tierPriceId of [archived.prices[0]?.id, price?.id]) {
    const { data } = await advertiser.refused(409, "POST", `${path}/checkout-sessions`, { tierPriceId });
    expect(data).toEqual({
      formErrors: [],
      fieldErrors: { tierPriceId: ["This price is no longer on sale."] },
      reason: "PRICE_NOT_ON_SALE",
      requestId: expect.any(String),
    });
  }
});

it("completes a free tier without a card", async () => {
  const free = await aTier(publisher, {
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });

  const checkout = await aPaidCheckout(service, publisher, free.prices[0]?.id ?? "");

  expect(await advertiser.ok(status, "GET", checkout.path)).toMatchObject({ status: "complete" });
});

it("shows a paid session as complete at once, a declined one as open, an expired one as expired", async () => {
  const declined = await start();
  const expired = await start();
  await advertiser.request("POST", `/sandbox/checkout/${declined.sessionId}/decline`, {});
  await stripe.checkout.sessions.expire(expired.sessionId);
  const paid = await aPaidCheckout(service, publisher, priceId);

  expect(await advertiser.ok(status, "GET", paid.path)).toMatchObject({ status: "complete", ad: null });
  expect(await advertiser.ok(status, "GET", `/v1/checkout-sessions/${declined.sessionId}`)).toMatchObject({
    status: "open",
  });
  expect(await advertiser.ok(status, "GET", `/v1/checkout-sessions/${expired.sessionId}`)).toMatchObject({
    status: "expired",
  });
});

it("refuses ads and images for an expired session with 409", async () => {
  const { sessionId } = await start();
  await stripe.checkout.sessions.expire(sessionId);

  const said = ["The checkout has expired without a payment. Start a new one."];
  const ad = await advertiser.refused(409, "POST", `/v1/checkout-sessions/${sessionId}/ad`, {
    name: "Too late",
    websiteUrl: "https://coffee.example",
  });
  const image = await advertiser.refused(409, "POST", `/v1/checkout-sessions/${sessionId}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: 1000,
  });

  expect([ad.data?.formErrors, image.data?.formErrors]).toEqual([said, said]);
});

it("answers 404 for a session that does not exist", async () => {
  for (const id of ["cs_test_0000000000000000", "x", "%00", "%ff", "..", "a".repeat(300)]) {
    await advertiser.refused(404, "GET", `/v1/checkout-sessions/${id}`);
  }
});

it("shows advertisers the fields in order, without those of the publisher alone", async () => {
  const second = await aField(publisher, { name: "Second", key: "second", order: 2 });
  const first = await aField(publisher, { name: "First", key: "first", order: 1 });
  await aField(publisher, { name: "Ours", key: "ours", isPublisherOnly: true });
  const { sessionId } = await start();

  const { fields } = await advertiser.ok(status, "GET", `/v1/checkout-sessions/${sessionId}`);

  expect(fields.map(({ id }) => id)).toEqual([first.id, second.id]);
});
