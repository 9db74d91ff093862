import { expect, it } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { syncSubscription } from "../checkout/subscriptions.ts";
import { recordInvoice } from "../ledger/record.ts";
import { ApiCaller } from "./callers.ts";
import { billed, webhooksApplied } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPaidCheckout, aPublisher, aTier } from "./story.ts";
import { tablesWith } from "./traces.ts";
import { stateOf } from "./two-tenants.ts";
import { A_PIXEL } from "./upload-story.ts";

const service = await startManagement({ unlimited: true });
const { services, database } = service;
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const { prices } = await aTier(publisher);
const tagline = await aField(publisher, { name: "Tagline" });
const logo = await aField(publisher, { name: "Logo", type: "Image" });
const photo = await aField(publisher, { name: "Photo", type: "Image" });
let buyers = 0;

/** An advertiser who has paid, uploaded a logo and submitted, and whose ad was rejected. */
async function aFormerAdvertiser() {
  buyers += 1;
  const email = `quagga-${buyers}@example.com`;
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "", email);
  const grant = await checkout.caller.ok(uploadGrant, "POST", `${checkout.path}/uploads`, {
    fileName: "logo.png",
    contentType: "image/png",
    contentLength: A_PIXEL.length,
  });
  await fetch(grant.uploadUrl, { method: "PUT", headers: grant.headers, body: new Uint8Array(A_PIXEL) });
  const submitted = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name: `Quagga Coffee ${buyers}`,
    websiteUrl: `https://quagga-${buyers}.example`,
    meta: [
      { fieldId: tagline.id, value: `Roasted by Quagga ${buyers}` },
      { fieldId: logo.id, value: grant.publicUrl },
      { fieldId: photo.id, value: `https://quagga-${buyers}.example/photo.png` },
    ],
  });
  const rejected = await caller.ok(ad, "POST", `${path}/ads/${submitted.id}/reject`, { note: "Quagga, no." });
  await billed(service, publisher.workspace.id, buyers);
  await webhooksApplied(service);
  const { rows } = await database.pool.query<{ invoice: string; subscription: string }>(
    `select provider_invoice_id as invoice, provider_subscription_id as subscription
     from invoices join subscriptions on subscriptions.id = invoices.subscription_id
     where invoices.advertiser_id = $1`,
    [rejected.subscription.advertiser.id],
  );
  const { id } = rejected.subscription.advertiser;
  return {
    ...rejected,
    email,
    checkout,
    upload: grant,
    number: buyers,
    path: `${path}/advertisers/${id}`,
    atProcessor: { invoice: rows[0]?.invoice ?? "", subscription: rows[0]?.subscription ?? "" },
  };
}

const traces = async (texts: readonly string[]) =>
  (await Promise.all(texts.map((text) => tablesWith(service, text)))).flat();

it("leaves neither name, address, words nor website of an erased advertiser in any table", async () => {
  const former = await aFormerAdvertiser();
  const said = [former.email, "Quagga Coffee", "Roasted by Quagga", "quagga-1.example", "Quagga, no."];
  // The buyer's name at the processor, which every buyer of these tests has.
  await database.pool.query("update advertisers set name = 'Zebulon Quagga' where id = $1", [
    former.subscription.advertiser.id,
  ]);
  const before = await traces(said);

  const { status, text } = await caller.request("DELETE", former.path);

  expect([status, text]).toEqual([200, '{"success":true}']);
  expect(before).toEqual(expect.arrayContaining(["public.ads", "public.advertisers", "public.audit_log"]));
  expect(await traces([...said, "Zebulon"])).toEqual([]);
});

it("removes the images, and the page where the ad could be changed", async () => {
  const former = await aFormerAdvertiser();
  const before = await services.uploads.find(former.upload.key);

  await caller.request("DELETE", former.path);

  expect(before).not.toBeNull();
  expect(await services.uploads.find(former.upload.key)).toBeNull();
  expect((await former.checkout.caller.request("GET", former.checkout.path)).status).toBe(404);
});

it("keeps the money, without a way to who paid, whatever the processor says later", async () => {
  const former = await aFormerAdvertiser();
  const money = async () =>
    (
      await database.pool.query(
        "select number, status, total, amount_paid, currency, issued_at from invoices where advertiser_id = $1",
        [former.subscription.advertiser.id],
      )
    ).rows;
  const before = await money();
  await caller.request("DELETE", former.path);

  await recordInvoice(services, former.atProcessor.invoice, null);
  const isRepair = await recordInvoice(services, former.atProcessor.invoice, null);
  await syncSubscription(services, former.atProcessor.subscription, null);

  expect(before).toMatchObject([{ status: "paid", total: 4900 }]);
  expect(await money()).toEqual(before);
  expect(isRepair).toBe(false);
  const { rows } = await database.pool.query(
    "select hosted_url, pdf_url from invoices where advertiser_id = $1",
    [former.subscription.advertiser.id],
  );
  expect(rows).toEqual([{ hosted_url: null, pdf_url: null }]);
  expect(await traces([former.email, `Quagga Coffee ${former.number}`, "Quagga, no."])).toEqual([]);
});

it("takes a later purchase with the same address for that of a new advertiser", async () => {
  const former = await aFormerAdvertiser();
  await caller.request("DELETE", former.path);

  await aPaidCheckout(service, publisher, prices[0]?.id ?? "", former.email);

  await expect
    .poll(
      async () => {
        const { rows } = await database.pool.query<{ id: string }>(
          "select id from advertisers where email = $1",
          [former.email],
        );
        return rows.map(({ id }) => id);
      },
      { timeout: 10_000 },
    )
    .toEqual([expect.not.stringMatching(former.subscription.advertiser.id)]);
});

it("refuses while a subscription is live, and changes nothing", async () => {
  const running = await anApprovedAd(service, publisher);
  buyers += 1;
  await billed(service, publisher.workspace.id, buyers);
  await webhooksApplied(service);
  const before = await stateOf(service, publisher.workspace.id);

  const { data } = await caller.refused(
    409,
    "DELETE",
    `${path}/advertisers/${running.subscription.advertiser.id}`,
  );

  expect(data?.formErrors).toEqual([
    "This advertiser has a live subscription. Reject the ad, or wait until it has ended.",
  ]);
  expect(await stateOf(service, publisher.workspace.id)).toBe(before);
});

it("tells serving, and changes nothing of another workspace's", async () => {
  const former = await aFormerAdvertiser();
  const neighbour = await aPublisher(service, "Another Weekly");
  await anApprovedAd(service, neighbour);
  await webhooksApplied(service);
  const theirs = await stateOf(service, neighbour.workspace.id);

  await caller.request("DELETE", former.path);

  await expect
    .poll(async () => JSON.stringify(await service.placements.read(publisher.workspace.id)))
    .not.toContain(`Quagga Coffee ${former.number}`);
  expect(await stateOf(service, neighbour.workspace.id)).toBe(theirs);
});

it("is for Managers and Owners, and of their own workspace's advertisers", async () => {
  const former = await aFormerAdvertiser();
  const neighbour = await aPublisher(service, "Nosy Weekly");
  const anybody = new ApiCaller(service.origin);
  const own = `${neighbour.path}/advertisers/${former.subscription.advertiser.id}`;

  expect((await anybody.request("DELETE", former.path)).status).toBe(401);
  expect((await neighbour.caller.request("DELETE", former.path)).status).toBe(403);
  expect((await neighbour.caller.request("DELETE", own)).status).toBe(404);
  expect(await tablesWith(service, former.email)).toContain("public.advertisers");
});
