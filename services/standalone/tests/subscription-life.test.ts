import { expect, it, vi } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { ApiCaller } from "../../management/tests/callers.ts";
import { aPublisher, aTier, type Publisher } from "../../management/tests/story.ts";
import { startInstallation } from "./installation.ts";
import { approve } from "./publisher.ts";
import { viewAds } from "./visitor.ts";

/** What the product promises: a webhook shows in serving within a second. */
const SERVED_WITHIN = { timeout: 1_000, interval: 25 };
/** What the sandbox may take to send everything that a month brings; asked no more often than a person may, 600 times per minute. */
const SENT_WITHIN = { timeout: 15_000, interval: 100 };

/** Pays now and is declined at renewals; pays always. */
const CARDS = { failing: "0341", sound: "4242" };

async function subscribe(origin: string, publisher: Publisher, card: string): Promise<string> {
  const caller = new ApiCaller(origin);
  const { prices } = await aTier(publisher);
  const session = z.object({ url: z.string(), sessionId: z.string() });
  const { sessionId } = await caller.ok(session, "POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: prices[0]?.id,
  });
  const payer = { email: "ads@coffee.example", name: "Example Coffee", card };
  const paid = await caller.request("POST", `/sandbox/checkout/${sessionId}/complete`, payer);
  expect(paid.status).toBe(200);
  const { id } = await caller.ok(submittedAd, "POST", `/v1/checkout-sessions/${sessionId}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  return id;
}

it("serves an ad as long as its subscription is on trial or paid, from the trial to the end", async () => {
  const installation = await startInstallation({
    dataDir: await aFolder(),
    environment: { TRIAL_DAYS: "14" },
  });
  const origin = installation.url;
  const sandbox = new ApiCaller(origin);
  const publisher = await aPublisher({ origin });
  const adId = await subscribe(origin, publisher, CARDS.failing);
  const path = `${publisher.path}/ads/${adId}`;
  // A key has a smaller budget of requests.
  const reader = publisher.person.caller;

  /** Waits until the processor holds the subscription's charges for the approval, or has released them. */
  async function awaitsApproval(awaits: boolean): Promise<void> {
    await vi.waitFor(async () => {
      const { subscription } = await reader.ok(ad, "GET", path);
      expect(subscription.awaitsApproval).toBe(awaits);
    }, SENT_WITHIN);
  }
  /** Waits until the status has been taken down, and then for what is served. */
  async function becomes(status: string, served: boolean): Promise<void> {
    await vi.waitFor(async () => {
      const { subscription } = await reader.ok(ad, "GET", path);
      expect(subscription.status).toBe(status);
    }, SENT_WITHIN);
    await vi.waitFor(
      async () => expect(await viewAds(origin, publisher.workspace.id)).toEqual(served ? [adId] : []),
      SERVED_WITHIN,
    );
  }
  async function passes(days: number): Promise<void> {
    const { status } = await sandbox.request("POST", "/sandbox/clock/advance", { days });
    expect(status).toBe(200);
  }

  await awaitsApproval(true);
  await approve(publisher, adId);
  await becomes("Trialing", true);
  // Only approved ads are charged after their trial.
  await awaitsApproval(false);
  await passes(15);
  await becomes("PastDue", false);
  const page = await vi.waitFor(async () => {
    const open = `${publisher.path}/invoices?status=open`;
    const { items } = await reader.ok(pageOf(invoice), "GET", open);
    return new URL(items[0]?.hostedUrl ?? "none yet").pathname;
  }, SENT_WITHIN);
  const paid = await sandbox.request("POST", `${page}/pay`, { card: CARDS.sound });
  expect(paid.status).toBe(200);
  await becomes("Active", true);
  await passes(31);
  await becomes("Active", true);
  const rejected = await publisher.caller.request("POST", `${path}/reject`, { note: "Season is over." });
  expect(rejected.status).toBe(200);
  await becomes("Canceled", false);

  await installation.stop();
});
