import { expect, it, onTestFinished, vi } from "vitest";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { uploadGrant } from "#libs/contract/uploads.ts";
import { syncInvoice } from "../billing/ledger/invoice.ts";
import { syncSubscription } from "../billing/subscriptions/subscription.ts";
import { enqueue } from "../queue/enqueue.ts";
import { ApiCaller } from "../tests/callers.ts";
import { billed, webhooksApplied } from "../tests/ledger-story.ts";
import { startManagement } from "../tests/management.ts";
import { aField, anApprovedAd, aPaidCheckout, aPublisher, aTier } from "../tests/story.ts";
import { tablesWith } from "../tests/traces.ts";
import { stateOf } from "../tests/two-tenants.ts";
import { A_PIXEL } from "../tests/upload-story.ts";

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

it("leaves neither name, address, texts nor website of an erased advertiser in any table", async () => {
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

it("removes the images, and the page for changing the ad", async () => {
  const former = await aFormerAdvertiser();
  const before = await services.uploads.find(former.upload.key);

  await caller.request("DELETE", former.path);

  expect(before).not.toBeNull();
  expect(await services.uploads.find(former.upload.key)).toBeNull();
  expect((await former.checkout.caller.request("GET", former.checkout.path)).status).toBe(404);
});

it("keeps the amounts without a link to the payer, even after later webhooks", async () => {
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

  await syncInvoice(services, former.atProcessor.invoice, null);
  const { changed: isRepair } = await syncInvoice(services, former.atProcessor.invoice, null);
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

/** What the advertiser's subscription says about its cancellation. */
async function wordsOf(advertiserId: string) {
  const { rows } = await database.pool.query(
    `select status, cancellation_comment as comment, cancellation_feedback as feedback
     from subscriptions where advertiser_id = $1`,
    [advertiserId],
  );
  return rows;
}

it("does not bring back the words of a cancellation whose request answers after the erasure", async () => {
  buyers += 1;
  const running = await anApprovedAd(service, publisher);
  const advertiserId = running.subscription.advertiser.id;
  await billed(service, publisher.workspace.id, buyers);
  await webhooksApplied(service);
  const cancel = services.payments.cancelSubscription.bind(services.payments);
  const slow = vi.spyOn(services.payments, "cancelSubscription").mockImplementation(async (id, options) => {
    const canceled = await cancel(id, options);
    // As where this process stood still for so long that others need not wait for it any more.
    await database.pool.query(
      "update subscriptions set claimed_until = now() - interval '1 second' where provider_subscription_id = $1",
      [id],
    );
    await syncSubscription(services, id, null);
    await caller.request("DELETE", `${path}/advertisers/${advertiserId}`);
    return canceled;
  });
  onTestFinished(() => slow.mockRestore());

  const { status } = await caller.request("POST", `${path}/ads/${running.id}/reject`, { note: "Not ours." });

  expect(status).toBe(200);
  expect(await wordsOf(advertiserId)).toEqual([{ status: "Canceled", comment: null, feedback: null }]);
});

it("does not bring back these words in a sync that waits for the erasure's lock", async () => {
  const former = await aFormerAdvertiser();
  const advertiserId = former.subscription.advertiser.id;
  const erasure = await database.pool.connect();
  onTestFinished(() => erasure.release());
  const erase = (change: string) => erasure.query(change, [advertiserId]);
  await erasure.query("begin");
  await erase("select from advertisers where id = $1 for update");
  await erase("update subscriptions set cancellation_comment = null where advertiser_id = $1");

  const synced = syncSubscription(services, former.atProcessor.subscription, null);
  await somebodyWaits();
  await erase("update advertisers set erased_at = now(), email = null where id = $1");
  await erasure.query("commit");

  expect(await synced).toMatchObject({ changed: false });
  expect(await wordsOf(advertiserId)).toEqual([{ status: "Canceled", comment: null, feedback: null }]);
});

/** Resolves when a statement waits for the lock of a subscription. */
async function somebodyWaits() {
  await vi.waitFor(async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%subscriptions%'`,
    );
    expect(rowCount).toBeGreaterThan(0);
  }, 10_000);
}

it("refuses a submission that waits for the erasure's lock", async () => {
  buyers += 1;
  const checkout = await aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const submit = async (name: string) =>
    await checkout.caller.request("POST", `${checkout.path}/ad`, {
      name,
      websiteUrl: "https://finch.example",
    });
  const submitted: { readonly id: string } = JSON.parse((await submit("Finch Coffee")).text);
  await billed(service, publisher.workspace.id, buyers);
  await webhooksApplied(service);
  const { rows } = await database.pool.query<{ id: string }>(
    `select advertiser_id as id from subscriptions join ads on ads.subscription_id = subscriptions.id where ads.id = $1`,
    [submitted.id],
  );
  const erasure = await database.pool.connect();
  onTestFinished(() => erasure.release());
  const erase = (change: string) => erasure.query(change, [rows[0]?.id]);
  await erasure.query("begin");
  await erase("select from advertisers where id = $1 for update");
  await erase("update subscriptions set cancellation_comment = null where advertiser_id = $1");

  const late = submit("Finch Tea");
  await somebodyWaits();
  await erase("update advertisers set name = 'Erased', erased_at = now(), email = null where id = $1");
  await erasure.query("commit");

  expect((await late).status).toBe(404);
  expect(await traces(["Finch Tea"])).toEqual([]);
});

it("creates a new advertiser for a later purchase with the same address", async () => {
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
    "This advertiser has a subscription that hasn't ended. Cancel it, then erase them.",
  ]);
  expect(await stateOf(service, publisher.workspace.id)).toBe(before);
});

it("publishes the erasure, and changes nothing of another workspace", async () => {
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

it("keeps the answers to another workspace about the same address, and its emails", async () => {
  const former = await aFormerAdvertiser();
  const other = await aPublisher(service, "Another Weekly");
  const invited = { email: former.email, role: "Viewer" };
  const key = { "idempotency-key": "about-the-same" };
  const invite = () => other.person.caller.request("POST", `${other.path}/invitations`, invited, key);
  await invite();
  const letter = { to: former.email, subject: "Another Weekly", text: "Hi,", html: "Hi," };
  const about = { workspaceId: other.workspace.id, recipient: "advertiser", kind: "purchase" } as const;
  const runAt = new Date(Date.now() + 3_600_000);
  await enqueue(database.db, "mail", { id: crypto.randomUUID(), ...letter, about }, { runAt });

  await caller.request("DELETE", `${path}/advertisers/${former.subscription.advertiser.id}`);

  const { headers } = await invite();
  const { rows } = await database.pool.query(
    "select payload->>'subject' as subject from graphile_worker._private_jobs where payload->>'to' = $1",
    [former.email],
  );
  expect(headers.get("idempotent-replayed")).toBe("true");
  expect(rows.map(({ subject }) => subject)).toContain("Another Weekly");
});

it("is for Managers and Owners, for advertisers of their own workspace", async () => {
  const former = await aFormerAdvertiser();
  const neighbour = await aPublisher(service, "Nosy Weekly");
  const anybody = new ApiCaller(service.origin);
  const own = `${neighbour.path}/advertisers/${former.subscription.advertiser.id}`;

  expect((await anybody.request("DELETE", former.path)).status).toBe(401);
  expect((await neighbour.caller.request("DELETE", former.path)).status).toBe(403);
  expect((await neighbour.caller.request("DELETE", own)).status).toBe(404);
  expect(await tablesWith(service, former.email)).toContain("public.advertisers");
});
