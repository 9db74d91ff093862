import { vi } from "vitest";
import { z } from "zod";
import { type Ad, ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import type { SubscriptionStatus } from "#libs/domain/subscription.ts";
import { ApiCaller } from "./callers.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aTier, type Publisher } from "./story.ts";

const HOUR_MS = 3_600_000;
/** What the sandbox may take to send everything that a step brings, while other tests run. */
const SENT_WITHIN = { timeout: 60_000, interval: 50 };

/** Cards of the sandbox: one pays always, one only while its holder is there. */
export const CARDS = { sound: "4242", failing: "0341" } as const;

/** The sandbox's clock. The service's own stays on real time. */
export function sandboxClock() {
  let ahead = 0;
  return {
    /** The sandbox's time, in milliseconds since the epoch. */
    now: () => Date.now() + ahead,
    /** How far it is ahead of the machine's clock, in milliseconds. */
    ahead: () => ahead,
    /** Advances it. */
    async passes(service: Pick<ManagementUnderTest, "origin">, hours: number): Promise<void> {
      const seconds = hours * 3600;
      const caller = new ApiCaller(service.origin);
      const { status, text } = await caller.request("POST", "/sandbox/clock/advance", { seconds });
      if (status !== 200) throw new Error(`the clock answered ${status}: ${text}`);
      ahead += hours * HOUR_MS;
    },
  };
}

/** Opens a checkout for the first price of a new tier. */
export async function openCheckout(
  service: Pick<ManagementUnderTest, "origin">,
  publisher: Publisher,
  tierChanges: Record<string, unknown> = {},
) {
  const { prices } = await aTier(publisher, tierChanges);
  const session = z.object({ url: z.string(), sessionId: z.string() });
  return await new ApiCaller(service.origin).ok(session, "POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: prices[0]?.id,
  });
}

/** An ad that was bought with that card in a new tier and submitted; Pending. */
export async function aBoughtAd(
  service: Pick<ManagementUnderTest, "origin">,
  publisher: Publisher,
  card: string,
  tierChanges: Record<string, unknown> = {},
) {
  const caller = new ApiCaller(service.origin);
  const { sessionId } = await openCheckout(service, publisher, tierChanges);
  const payer = { email: `buyer-${crypto.randomUUID()}@example.com`, name: "Example Coffee", card };
  const paid = await caller.request("POST", `/sandbox/checkout/${sessionId}/complete`, payer);
  if (paid.status !== 200) throw new Error(`paying answered ${paid.status}: ${paid.text}`);
  const { id } = await caller.ok(submittedAd, "POST", `/v1/checkout-sessions/${sessionId}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  return { id, sessionId, email: payer.email, path: `${publisher.path}/ads/${id}` };
}

/** Waits until the ad's subscription has that status. */
export async function becomes(
  { caller }: Publisher,
  { path }: { readonly path: string },
  status: SubscriptionStatus,
): Promise<Ad> {
  return await vi.waitFor(async () => {
    const found = await caller.ok(ad, "GET", path);
    if (found.subscription.status !== status) {
      throw new Error(`the subscription is ${found.subscription.status}, not ${status}`);
    }
    return found;
  }, SENT_WITHIN);
}

/** Waits until the processor holds the charges of the ad's subscription for its approval, or no longer does. */
export async function awaitsApproval(
  { caller }: Pick<Publisher, "caller">,
  { path }: { readonly path: string },
  awaits: boolean,
): Promise<void> {
  await vi.waitFor(async () => {
    const { subscription } = await caller.ok(ad, "GET", path);
    if (subscription.awaitsApproval !== awaits) {
      throw new Error(`awaitsApproval of the subscription is ${subscription.awaitsApproval}, not ${awaits}`);
    }
  }, SENT_WITHIN);
}

/** Approves a bought ad, and waits until the processor may charge for it: only approved ads renew. */
export async function approveForCharging(
  publisher: Pick<Publisher, "caller">,
  bought: { readonly path: string },
): Promise<void> {
  await awaitsApproval(publisher, bought, true);
  await publisher.caller.ok(ad, "POST", `${bought.path}/approve`);
  await awaitsApproval(publisher, bought, false);
}
