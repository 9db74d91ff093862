import { expect, it, vi } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { ApiCaller } from "../../management/tests/callers.ts";
import { aPublisher, aTier } from "../../management/tests/story.ts";
import { deliver, newEventId } from "../../management/tests/webhook-story.ts";
import { startInstallation } from "./installation.ts";
import { approve, readTotals } from "./publisher.ts";
import { openRememberingStripe } from "./remembering-stripe.ts";
import { aVisitor, report, viewAds } from "./visitor.ts";

const SECRET = "whsec_of_this_test_only";
const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
/** What the product promises: a change shows in serving within a second of the webhook. */
const SERVED_WITHIN = { timeout: 1_000, interval: 25 };

it("does the main job with Stripe's key, every request being one that Stripe takes", async () => {
  const stripe = await openRememberingStripe(process.env.STRIPE_MOCK_URL ?? "");
  const installation = await startInstallation({
    dataDir: await aFolder(),
    environment: {
      STRIPE_SECRET_KEY: "sk_test_123",
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_URL: stripe.url,
    },
  });
  const origin = installation.url;
  const publisher = await aPublisher({ origin });
  const { caller, path, workspace } = publisher;
  const tier = await aTier(publisher);
  const advertiser = new ApiCaller(origin);

  const opened = await advertiser.ok(
    z.object({ url: z.string(), sessionId: z.string() }),
    "POST",
    `${path}/checkout-sessions`,
    { tierPriceId: tier.prices[0]?.id },
  );
  const checkout = `/v1/checkout-sessions/${opened.sessionId}`;
  await advertiser.refused(409, "POST", `${checkout}/ad`, creative);
  const session = stripe.pay("ads@coffee.example");
  const event = {
    id: newEventId(),
    object: "event",
    created: Math.floor(Date.now() / 1000),
    type: "checkout.session.completed",
    data: { object: session },
  };
  expect(await deliver({ origin }, event, { secret: "whsec_of_somebody_else" })).toMatchObject({
    status: 400,
  });
  expect(await deliver({ origin }, event, { secret: SECRET })).toEqual({
    status: 200,
    text: expect.any(String),
  });
  expect(await deliver({ origin }, event, { secret: SECRET })).toEqual({
    status: 200,
    text: expect.any(String),
  });

  const { id } = await advertiser.ok(submittedAd, "POST", `${checkout}/ad`, creative);
  await approve(publisher, id);
  await vi.waitFor(async () => expect(await viewAds(origin, workspace.id)).toEqual([id]), SERVED_WITHIN);
  expect(await report(origin, id, "impressions", aVisitor(1))).toBe(true);
  await vi.waitFor(async () => expect((await readTotals(publisher, id)).impressions).toBe(1), {
    timeout: 3_000,
  });

  const paused = await caller.ok(ad, "POST", `${path}/ads/${id}/pause`);
  await vi.waitFor(async () => expect(await viewAds(origin, workspace.id)).toEqual([]), SERVED_WITHIN);
  const resumed = await caller.ok(ad, "POST", `${path}/ads/${id}/resume`);
  await vi.waitFor(async () => expect(await viewAds(origin, workspace.id)).toEqual([id]), SERVED_WITHIN);
  await caller.ok(ad, "POST", `${path}/ads/${id}/reject`, { note: "Not for our readers." });
  await vi.waitFor(async () => expect(await viewAds(origin, workspace.id)).toEqual([]), SERVED_WITHIN);

  expect(paused.subscription).toMatchObject({ status: "Paused", paidAmount: 4900 });
  expect(paused.subscription.advertiser.email).toBe("ads@coffee.example");
  expect(resumed.subscription.status).toBe("Active");
  expect(stripe.status).toBe("canceled");
  expect(stripe.refused).toEqual([]);
  await installation.stop();
});
