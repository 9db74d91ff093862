import { expect, it } from "vitest";
import { workspaceSettings } from "#libs/contract/settings.ts";
import type { ChargeAt } from "#libs/domain/settings.ts";
import { mailTo } from "../../tests/joining.ts";
import { type ManagementUnderTest, startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { openPage } from "./pages.ts";
import { pathOf } from "./states.ts";

const service = await startManagement({ unlimited: true });

const RENEWAL =
  "Your subscription renews only once your ad is approved. If Heron Weekly rejects it, the subscription is canceled and you can ask Heron Weekly for a refund.";
const AT_PURCHASE = `You pay today. ${RENEWAL}`;
const AT_APPROVAL =
  "Your card is saved at checkout and charged once your ad is approved. If it's rejected, you pay nothing.";

/** What the offer and the checkout page of a price say. */
async function beforePaying(chargeAt: ChargeAt, amount: number, of: ManagementUnderTest = service) {
  const publisher = await aPublisher(of, "Heron Weekly");
  await publisher.caller.ok(workspaceSettings, "PATCH", `${publisher.path}/settings`, { chargeAt });
  const { prices } = await aTier(publisher, {
    initialPrices: [{ amount, intervalCount: 1, currency: "usd" }],
  });
  const priceId = prices[0]?.id ?? "";
  const offer = `/advertise/${publisher.workspace.slug}`;
  const bought = await openPage(of, offer, new URLSearchParams({ tierPriceId: priceId }));
  const checkout = await openPage(of, new URL(bought.headers.get("location") ?? "").pathname);
  return { publisher, priceId, offer: (await openPage(of, offer)).text, checkout: checkout.text };
}

it("says when one is charged on the offer, at checkout, on the page of the purchase and in its email", async () => {
  const { publisher, priceId, offer, checkout } = await beforePaying("purchase", 4900);
  const paid = await aPaidCheckout(service, publisher, priceId);

  const status = await openPage(service, pathOf(publisher, paid));
  const mail = await mailTo(service, paid.email, "Submit your ad");

  for (const text of [offer, checkout]) expect(text).toContain(AT_PURCHASE);
  for (const text of [status.text, mail.text]) {
    expect(text).toContain(RENEWAL);
    expect(text).not.toContain("You pay today.");
  }
});

it("says that the card is only saved where advertisers are charged on approval", async () => {
  const { offer, checkout } = await beforePaying("approval", 4900);

  for (const text of [offer, checkout]) {
    expect(text).toContain(AT_APPROVAL);
    expect(text).not.toContain("You pay today");
  }
});

it("says nothing of charges where there are none", async () => {
  const { offer, checkout } = await beforePaying("purchase", 0);

  for (const text of [offer, checkout]) expect(text).not.toContain("refund");
});

it("says on the checkout page for how many days a trial is free, and at approval that they begin with it", async () => {
  const onTrial = await startManagement({ unlimited: true, sales: { trialDays: 14 } });

  const atPurchase = await beforePaying("purchase", 4900, onTrial);
  const atApproval = await beforePaying("approval", 4900, onTrial);
  const paid = await aPaidCheckout(onTrial, atApproval.publisher, atApproval.priceId);
  const mail = await mailTo(onTrial, paid.email, "Submit your ad");

  expect(atPurchase.checkout).toContain("Free for the first 14 days. Your card is charged after the trial");
  expect(atApproval.checkout).toContain("Free for the first 14 days after the approval. Your card is saved");
  expect(mail.text).toContain("nothing is charged before your ad is approved");
});
