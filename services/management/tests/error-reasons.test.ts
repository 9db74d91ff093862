import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { CONFLICT_REASONS, type ErrorReason, INPUT_REASONS } from "#libs/domain/error-reasons.ts";
import type { ApiCaller } from "./callers.ts";
import { billed, invoiceOf } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPaidCheckout, aPendingAd, aPerson, aPublisher, aTier } from "./story.ts";

const PASSWORD = "correct horse battery";
const REPOSITORY = join(import.meta.dirname, "..", "..", "..");

const service = await startManagement({ unlimited: true, workspacesPerPerson: 1 });
const publisher = await aPublisher(service);
const { caller, path, person } = publisher;
const running = await anApprovedAd(service, publisher);
const pending = await aPendingAd(service, publisher);
const rejected = await aPendingAd(service, publisher);
await caller.request("POST", `${rejected.path}/reject`, { note: "Not for us." });
const tier = await aTier(publisher);
const [price] = tier.prices;
const field = await aField(publisher);
const image = await aField(publisher, { name: "Logo", type: "Image" });
await running.checkout.caller.request("POST", `${running.checkout.path}/ad`, {
  name: "Example Coffee",
  websiteUrl: "https://coffee.example",
  meta: [{ fieldId: field.id, value: "Roasted" }],
});
const { id: advertiserId } = running.subscription.advertiser;
await billed(service, publisher.workspace.id, 1);
const invoice = `${path}/invoices/${await invoiceOf(service, advertiserId)}`;
const another = await aPerson(service);

interface Request {
  readonly by?: ApiCaller;
  readonly method?: "DELETE" | "GET" | "PATCH";
  readonly to: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}
/** A request that is refused for the reason, or the file of the test that brings it about. */
type Provoked = { readonly in: string } | (() => Promise<Request> | Request);

const checkout = { to: `${path}/checkout-sessions` };
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
const newTier = {
  name: "Silver",
  weight: 1,
  initialPrices: [{ amount: 100, intervalCount: 1, currency: "usd" }],
};
const submit = (value: unknown, fieldId: string) => ({
  by: running.checkout.caller,
  to: `${running.checkout.path}/ad`,
  body: { ...creative, meta: [{ fieldId, value }] },
});

const PROVOKED: Readonly<Record<ErrorReason, Provoked>> = {
  AD_ALREADY_APPROVED: () => ({ to: `${running.path}/approve` }),
  AD_REJECTED: () => ({ method: "PATCH", to: rejected.path, body: {} }),
  SUBMITTED_SINCE: () => ({ to: `${pending.path}/approve`, body: { version: 7 } }),
  NO_OPEN_REVISION: () => ({ to: `${pending.path}/revision/approve` }),
  AD_NOT_SERVING: () => ({ to: `${pending.path}/pause` }),
  AD_NOT_PAUSED: () => ({ to: `${running.path}/resume` }),
  SUBSCRIPTION_ENDED: async () => {
    const { subscription } = await caller.ok(ad, "GET", rejected.path);
    return { to: `${path}/subscriptions/${subscription.id}/cancel`, body: {} };
  },
  AD_SUBMITTED: () => ({ to: `${path}/subscriptions/${running.subscription.id}/remind` }),
  NO_LINK_TO_SEND: { in: "services/management/ads/subscription-changes.test.ts" },
  CHANGE_UNDER_WAY: { in: "services/management/billing/checkout/processor-hangs.test.ts" },
  IMAGE_NOT_COPIED: { in: "services/management/media/image-copies/image-copies.test.ts" },
  IMAGE_UNUSABLE: { in: "services/management/media/uploads/upload-images.test.ts" },
  CHECKOUT_NOT_PAID: async () => {
    const { text } = await caller.request("POST", checkout.to, { tierPriceId: price?.id });
    const { sessionId } = z.object({ sessionId: z.string() }).parse(JSON.parse(text));
    return { to: `/v1/checkout-sessions/${sessionId}/ad`, body: creative };
  },
  CHECKOUT_EXPIRED: { in: "services/management/billing/checkout/forgotten-sessions.test.ts" },
  PRICE_NOT_ON_SALE: async () => {
    const archived = await aTier(publisher);
    await caller.request("DELETE", `${path}/tiers/${archived.id}`);
    return { ...checkout, body: { tierPriceId: archived.prices[0]?.id } };
  },
  SALES_SUSPENDED: async () => {
    const suspended = await aPublisher(service, "Suspended Weekly");
    const { prices } = await aTier(suspended);
    const { db } = service.database;
    const now = { suspended_at: new Date() };
    await db.updateTable("workspaces").set(now).where("id", "=", suspended.workspace.id).execute();
    return { to: `${suspended.path}/checkout-sessions`, body: { tierPriceId: prices[0]?.id } };
  },
  PAYMENTS_NOT_SET_UP: { in: "services/management/billing/connect/connect.test.ts" },
  OWN_ACCOUNTS_OFF: () => ({
    by: person.caller,
    to: `${path}/connect`,
    body: { returnUrl: "https://weekly.example/settings" },
  }),
  PRICE_EXISTS: () => ({
    to: `${path}/tiers/${tier.id}/prices`,
    body: { amount: 100, intervalCount: 1, currency: "usd" },
  }),
  FIELD_KEY_TAKEN: () => ({ to: `${path}/fields`, body: { name: "Tagline", key: field.key, type: "Text" } }),
  FIELD_TYPE_IN_USE: () => ({ method: "PATCH", to: `${path}/fields/${field.id}`, body: { type: "Number" } }),
  SLUG_TAKEN: () => ({
    by: another.caller,
    to: "/v1/workspaces",
    body: { name: "Another", slug: publisher.workspace.slug },
  }),
  EMAIL_TAKEN: () => ({
    to: "/api/auth/sign-up/email",
    body: { email: person.email, name: "Ada", password: PASSWORD },
  }),
  EMAIL_NOT_VERIFIED: { in: "services/management/accounts/people/people-limits.test.ts" },
  ALREADY_MEMBER: () => ({
    by: person.caller,
    to: `${path}/invitations`,
    body: { email: person.email, role: "Viewer" },
  }),
  LAST_OWNER: () => ({ by: person.caller, to: `${path}/leave` }),
  // While something is left.
  MORE_THAN_IS_LEFT: () => ({ to: `${invoice}/refunds`, body: { amount: 1_000_000 } }),
  NOTHING_TO_REFUND: async () => {
    await caller.request("POST", `${invoice}/refunds`, {});
    return { to: `${invoice}/refunds`, body: {} };
  },
  PAYMENT_DISPUTED: { in: "services/management/billing/ledger/refund.test.ts" },
  REFUNDED_SINCE: { in: "services/management/billing/ledger/refund.test.ts" },
  SUBSCRIPTION_LIVE: () => ({ method: "DELETE", to: `${path}/advertisers/${advertiserId}` }),
  LIMIT_REACHED: () => ({ by: person.caller, to: "/v1/workspaces", body: { name: "Second Weekly" } }),
  UPLOAD_QUOTA_REACHED: { in: "services/management/media/uploads/upload-quota.test.ts" },
  TOO_MANY_OPEN_UPLOADS: async () => {
    const { path: session, caller: by } = await aPaidCheckout(service, publisher, price?.id ?? "");
    const grant = {
      by,
      to: `${session}/uploads`,
      body: { fileName: "logo.png", contentType: "image/png", contentLength: 100 },
    };
    for (let n = 0; n < 24; n += 1) await by.request("POST", grant.to, grant.body);
    return grant;
  },
  UPLOAD_EXISTS: { in: "libs/uploads/disk.test.ts" },
  IDEMPOTENCY_KEY_IN_USE: { in: "services/management/api/idempotency.test.ts" },
  IDEMPOTENCY_ANSWER_NOT_KEPT: { in: "services/management/api/kept-answers.test.ts" },
  INVALID_INPUT: () => ({ to: `${path}/tiers`, body: { name: "x" } }),
  UNKNOWN_KEY: () => ({ to: `${invoice}/refunds`, body: { ammount: 100 } }),
  INVALID_FIELD_VALUE: () => submit(7, field.id),
  MALFORMED_BODY: () => ({ to: `${path}/tiers`, body: "{" }),
  IMAGE_NOT_UPLOADED: async () => {
    const { text } = await caller.request("POST", `${path}/uploads`, {
      fileName: "logo.png",
      contentType: "image/png",
      contentLength: 100,
    });
    return submit(z.object({ publicUrl: z.string() }).parse(JSON.parse(text)).publicUrl, image.id);
  },
  TOO_MANY_EXTERNAL_IMAGES: { in: "services/management/media/image-copies/image-copies.test.ts" },
  UPLOAD_TOO_LARGE: () => ({
    to: `${path}/uploads`,
    body: { fileName: "logo.png", contentType: "image/png", contentLength: 2 ** 31 },
  }),
  UPLOAD_MISMATCH: { in: "libs/uploads/disk.test.ts" },
  WRONG_CONFIRMATION: () => ({
    by: person.caller,
    method: "DELETE",
    to: path,
    body: { name: "Another", refund: false },
  }),
  EMAIL_UNCHANGED: () => ({
    by: person.caller,
    to: "/api/auth/email-change/request",
    body: { newEmail: person.email, password: PASSWORD },
  }),
  CURSOR_UNKNOWN: () => ({ method: "GET", to: `${path}/ads?after=abc` }),
  IF_MATCH_MALFORMED: () => ({ to: `${pending.path}/approve`, headers: { "if-match": "1" } }),
  IDEMPOTENCY_KEY_MALFORMED: () => ({
    to: `${path}/tiers`,
    body: newTier,
    headers: { "idempotency-key": "a b" },
  }),
  IDEMPOTENCY_KEY_REUSED: async () => {
    const headers = { "idempotency-key": "one" };
    await caller.request("POST", `${path}/tiers`, newTier, headers);
    return { to: `${path}/tiers`, body: { ...newTier, name: "Bronze" }, headers };
  },
};

const REFUSED_WITH = z.object({
  code: z.string(),
  status: z.int(),
  data: z.object({ reason: z.string() }),
});

it.each(Object.entries(PROVOKED))(
  "refuses with the reason %s what it is the reason of",
  async (reason, provoked) => {
    if ("in" in provoked) {
      expect(await readFile(join(REPOSITORY, provoked.in), "utf8")).toContain(`"${reason}"`);
      return;
    }
    const { by = caller, method = "POST", to, body, headers } = await provoked();

    const { text } = await by.request(method, to, body, headers);

    const isConflict = Object.hasOwn(CONFLICT_REASONS, reason);
    expect(Object.hasOwn(INPUT_REASONS, reason)).toBe(!isConflict);
    expect(REFUSED_WITH.parse(JSON.parse(text)), text).toEqual({
      code: isConflict ? "CONFLICT_FIELD" : "INPUT_VALIDATION_FAILED",
      status: isConflict ? 409 : 422,
      data: { reason },
    });
  },
);
