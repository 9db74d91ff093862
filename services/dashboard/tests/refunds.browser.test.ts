import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { expectAccessible, expectNoOverflow, openPage, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct();
const PASSWORD = "correct horse battery";

/** Posts to the API with the page's session; returns the id in the answer. */
async function call(page: Page, path: string, data: object = {}): Promise<string> {
  const answer = await page.request.post(path, { data });
  expect(answer.status(), path).toBe(200);
  return z.object({ id: z.string().default("") }).parse(await answer.json()).id;
}

/** A publisher who is signed in, with an ad that was bought for 49 euro and waits for review. */
async function aSoldAd(page: Page) {
  const email = `${crypto.randomUUID()}@example.com`;
  await page.request.post("/api/auth/sign-up/email", { data: { name: "Ada", email, password: PASSWORD } });
  const workspaceId = await call(page, "/v1/workspaces", { name: "Example Weekly" });
  const at = `/v1/workspaces/${workspaceId}`;
  const made = await page.request.post(`${at}/tiers`, {
    data: { name: "Gold", weight: 1, initialPrices: [{ amount: 4900, intervalCount: 1, currency: "eur" }] },
  });
  const { prices } = z.object({ prices: z.array(z.object({ id: z.string() })) }).parse(await made.json());
  const started = await page.request.post(`${at}/checkout-sessions`, {
    data: { tierPriceId: prices[0]?.id },
  });
  const { sessionId } = z.object({ sessionId: z.string() }).parse(await started.json());
  await page.request.post(`/sandbox/checkout/${sessionId}/complete`, {
    data: { email: "quagga@example.com", name: "Quagga Coffee" },
  });
  const adId = await call(page, `/v1/checkout-sessions/${sessionId}/ad`, {
    name: "Quagga Coffee",
    websiteUrl: "https://quagga.example",
  });
  const shape = z.object({ subscription: z.object({ advertiser: z.object({ id: z.string() }) }) });
  const ad = shape.parse(await (await page.request.get(`${at}/ads/${adId}`)).json());
  const invoices = z.object({
    items: z.array(z.object({ amountRefunded: z.number(), status: z.string() })),
  });
  const refunded = async () => {
    const list = invoices.parse(await (await page.request.get(`${at}/invoices`)).json());
    return list.items.map(({ amountRefunded }) => amountRefunded);
  };
  await expect.poll(refunded, { timeout: 20_000 }).toEqual([0]);
  const advertiserPage = `/w/${workspaceId}/advertisers/${ad.subscription.advertiser.id}`;
  return { at, adId, refunded, adPage: `/w/${workspaceId}/ads/${adId}`, advertiserPage };
}

it("refunds a part of an invoice, then the rest, with errors at the amount", {
  timeout: 120_000,
}, async () => {
  const { page } = await openPage(product.origin);
  const { advertiserPage, refunded } = await aSoldAd(page);

  await page.goto(advertiserPage);
  await page.getByRole("button", { name: /^Refund invoice/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This doesn’t cancel the subscription.").waitFor();
  await dialog.getByRole("button", { name: "Refund €49.00" }).waitFor();
  await dialog.getByRole("radio", { name: "Part of it" }).check();
  await dialog.getByLabel("Amount in EUR").fill("49,01");
  await dialog.getByRole("button", { name: "Refund", exact: true }).click();
  await dialog.getByText("At most €49.00 is left to refund.").waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page, 360);
  expect(await refunded()).toEqual([0]);

  await dialog.getByLabel("Amount in EUR").fill("12,50");
  await dialog.getByLabel("Reason").selectOption("The advertiser asked for it");
  await dialog.getByLabel("Note to the advertiser").fill("As agreed.");
  await dialog.getByRole("button", { name: "Refund", exact: true }).click();
  await page.getByText("€12.50 refunded").first().waitFor();
  expect(await refunded()).toEqual([1250]);

  await page.getByRole("button", { name: /^Refund invoice/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund €36.50" }).click();
  await page.getByText("Refunded in full").waitFor();
  expect(await refunded()).toEqual([4900]);
  expect(await page.getByRole("button", { name: /^Refund invoice/ }).count()).toBe(0);
});

it("offers a refund with a rejection, chosen for an ad that never ran", { timeout: 120_000 }, async () => {
  const { page } = await openPage(product.origin);
  const { adPage, refunded } = await aSoldAd(page);

  await page.goto(adPage);
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  const refund = dialog.getByRole("checkbox", { name: "Refund €49.00" });
  await refund.waitFor();
  expect(await refund.isChecked()).toBe(true);
  await dialog.getByLabel("Note to the advertiser").fill("Not for our readers.");
  await expectAccessible(page);
  await dialog.getByRole("button", { name: "Reject ad" }).click();
  await page.getByText("Ad rejected").first().waitFor();

  expect(await refunded()).toEqual([4900]);
});

it("leaves the refund to choose for an ad that ran", { timeout: 120_000 }, async () => {
  const { page } = await openPage(product.origin);
  const { at, adId, adPage, refunded } = await aSoldAd(page);
  await call(page, `${at}/ads/${adId}/approve`);

  await page.goto(adPage);
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  const refund = dialog.getByRole("checkbox", { name: /^Refund €4[89]\.\d\d$/ });
  await refund.waitFor();
  expect(await refund.isChecked()).toBe(false);
  await dialog.getByLabel("Note to the advertiser").fill("Not for our readers.");
  await dialog.getByRole("button", { name: "Reject ad" }).click();
  await page.getByText("Ad rejected").first().waitFor();

  expect(await refunded()).toEqual([0]);
});
