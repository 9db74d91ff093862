import { expect, it } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { listedSubscription } from "#libs/contract/subscriptions.ts";
import { invoiceOf, webhooksApplied } from "../../tests/ledger-story.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier } from "../../tests/story.ts";
import { processorMetadata, referenceColumns, withSessionId } from "./reference.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const priceId = (await aTier(publisher)).prices[0]?.id ?? "";

const session = z.object({ url: z.string(), sessionId: z.string() });
const given = {
  clientReference: "order-1017",
  metadata: { campaign: "spring", "team.id": "7", workspaceId: "x" },
};

/** A purchase with what the page gives. */
async function buy(reference: Record<string, unknown>) {
  const body = { tierPriceId: priceId, ...reference };
  const made = await caller.ok(session, "POST", `${path}/checkout-sessions`, body);
  const email = `${crypto.randomUUID()}@example.com`;
  const paid = await caller.request("POST", `/sandbox/checkout/${made.sessionId}/complete`, {
    email,
    name: "A",
  });
  expect(paid.status).toBe(200);
  const status = await caller.request("GET", `/v1/checkout-sessions/${made.sessionId}`);
  return { ...made, status: JSON.parse(status.text), text: status.text };
}

it("carries a reference and metadata from the checkout to subscription, ad and invoice, and finds them by it", async () => {
  const bought = await buy(given);
  const other = await buy({});
  const submitted = await caller.request("POST", `/v1/checkout-sessions/${bought.sessionId}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  await webhooksApplied(service);

  const query = "clientReference=order-1017";
  const subscriptions = await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions?${query}`);
  const [subscription] = subscriptions.items;
  await invoiceOf(service, subscription?.advertiser.id ?? "");
  const ads = await caller.ok(pageOf(ad.partial()), "GET", `${path}/ads?${query}`);
  const invoices = await caller.ok(pageOf(invoice), "GET", `${path}/invoices?${query}`);
  const adId = JSON.parse(submitted.text).id;
  const one = await caller.ok(ad, "GET", `${path}/ads/${adId}`);

  expect(bought.status.subscriptionId).toBe(subscription?.id);
  expect(subscriptions.items).toMatchObject([{ ...given, adId }]);
  expect(ads.items).toMatchObject([{ id: adId, subscription: given }]);
  expect(one.subscription).toMatchObject(given);
  expect(invoices.items).toMatchObject([{ ...given, adId, subscriptionId: subscription?.id }]);
  const whole = await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions`);
  expect(whole.items.find(({ id }) => id === other.status.subscriptionId)).toMatchObject({
    clientReference: null,
    metadata: {},
  });
});

it("shows the advertiser neither reference nor metadata, and forgets them with the advertiser", async () => {
  const bought = await buy({ clientReference: "order-secret", metadata: { note: "secret-note" } });
  const page = await caller.request(
    "GET",
    `/advertise/${publisher.workspace.id}/checkout/${bought.sessionId}`,
  );
  const list = `${path}/subscriptions`;
  const found = await caller.ok(pageOf(listedSubscription), "GET", `${list}?clientReference=order-secret`);
  const id = found.items[0]?.id ?? "";
  expect([bought.text, page.text].filter((text) => /order-secret|secret-note/.test(text))).toEqual([]);

  expect((await caller.request("POST", `${list}/${id}/cancel`, {})).status).toBe(200);
  await webhooksApplied(service);
  await caller.request("DELETE", `${path}/advertisers/${found.items[0]?.advertiser.id}`);

  expect(
    (await caller.ok(pageOf(listedSubscription), "GET", list)).items.find((one) => one.id === id),
  ).toMatchObject({
    clientReference: null,
    metadata: {},
  });
});

it("sends the buyer to successUrl with the session's id, and keeps Placard's page for the ad", async () => {
  const made = await caller.ok(session, "POST", `${path}/checkout-sessions`, {
    tierPriceId: priceId,
    successUrl: "https://shop.example/thanks?order=7#top",
  });
  const paid = await caller.request("POST", `/sandbox/checkout/${made.sessionId}/complete`, {
    email: "a@example.com",
  });

  expect(paid.text).toContain(`https://shop.example/thanks?order=7&session_id=${made.sessionId}#top`);
  const page = await caller.request("GET", `/advertise/${publisher.workspace.id}/checkout/${made.sessionId}`);
  expect(page.status).toBe(200);
});

it.each([
  ["successUrl", "javascript:alert(1)"],
  ["successUrl", "/thanks"],
  ["clientReference", "x".repeat(201)],
  ["clientReference", ""],
  ["metadata", Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`key_${n}`, "x"]))],
  ["metadata.key", { key: "x".repeat(501) }],
  ["metadata.key", { key: 7 }],
  ["metadata.a b", { "a b": "x" }],
  [`metadata.${"k".repeat(39)}`, { ["k".repeat(39)]: "x" }],
])("refuses what the processor would not take at %s", async (at, value) => {
  const name = at.split(".")[0] ?? "";
  expect(
    await caller.invalid("POST", `${path}/checkout-sessions`, {
      tierPriceId: priceId,
      [name]: value,
    }),
  ).toEqual([at]);
});

it("takes as much as it promises", async () => {
  const metadata = Object.fromEntries(
    Array.from({ length: 20 }, (_, n) => [`${n}`.padStart(38, "k"), "x".repeat(500)]),
  );

  const { status } = await buy({ metadata, clientReference: "é".repeat(200) });

  const list = await caller.ok(pageOf(listedSubscription), "GET", `${path}/subscriptions?perPage=100`);
  expect(list.items.find(({ id }) => id === status.subscriptionId)).toMatchObject({
    metadata,
    clientReference: "é".repeat(200),
  });
});

it("lets no key of a page say what was sold or how it is charged", () => {
  const metadata = { awaitsApproval: "true", chargeAt: "approval", period: "1 2 - 0", workspaceId: "ws_1" };

  const sent = processorMetadata({ clientReference: "order-1", metadata });

  expect(Object.keys(sent)).toEqual([
    "x_awaitsApproval",
    "x_chargeAt",
    "x_period",
    "x_workspaceId",
    "clientReference",
  ]);
  expect(referenceColumns({ ...sent, workspaceId: "ws_2", tierPriceId: "price_1" })).toEqual({
    client_reference: "order-1",
    metadata: JSON.stringify(metadata),
  });
});

it.each([
  ["https://shop.example", "https://shop.example/?session_id={CHECKOUT_SESSION_ID}"],
  ["https://shop.example/a?b=c", "https://shop.example/a?b=c&session_id={CHECKOUT_SESSION_ID}"],
  ["https://shop.example/a#b?c", "https://shop.example/a?session_id={CHECKOUT_SESSION_ID}#b?c"],
])("appends the session's id to %s", (address, expected) => {
  expect(withSessionId(address)).toBe(expected);
});
