import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { expectAccessible, expectNoOverflow, openPage, startProduct } from "../../../infra/browser/index.ts";
import { aSoldAd, buy, call, ownWorkspace, priceOnSale } from "./publisher.ts";

const product = startProduct();
const INVOICES = z.object({ items: z.array(z.object({ id: z.string(), amountRefunded: z.number() })) });
const WITH_SUBSCRIPTION = z.object({ subscription: z.object({ id: z.string() }) });

/** A publisher who is signed in, with an ad that was bought for 49 euro and waits for review. */
async function aPaidAd(page: Page) {
  const workspaceId = await ownWorkspace(page, "Example Weekly");
  const { adId, advertiserId } = await aSoldAd(page, workspaceId, "eur");
  const at = `/v1/workspaces/${workspaceId}`;
  const invoices = async () => INVOICES.parse(await (await page.request.get(`${at}/invoices`)).json()).items;
  const refunded = async () => (await invoices()).map(({ amountRefunded }) => amountRefunded);
  await expect.poll(refunded, { timeout: 20_000 }).toEqual([0]);
  const pages = `/w/${workspaceId}`;
  return {
    at,
    adId,
    invoices,
    refunded,
    overview: `${pages}/overview`,
    adPage: `${pages}/ads/${adId}`,
    advertiserPage: `${pages}/advertisers/${advertiserId}`,
  };
}

it("refunds a part of an invoice, then the rest, with errors at the amount", {
  timeout: 120_000,
}, async () => {
  const { page } = await openPage(product.origin);
  const { advertiserPage, refunded } = await aPaidAd(page);

  await page.goto(advertiserPage);
  await page.getByRole("button", { name: /^Refund invoice/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("This doesn’t cancel the subscription.").waitFor();
  await dialog.getByRole("button", { name: "Refund €49.00" }).waitFor();
  await dialog.getByRole("radio", { name: "Partial refund" }).check();
  await dialog.getByLabel("Amount in EUR").fill("49,01");
  await dialog.getByRole("button", { name: "Refund", exact: true }).click();
  await dialog.getByText("At most €49.00 is left to refund.").waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page, 360);
  expect(await refunded()).toEqual([0]);

  await dialog.getByLabel("Amount in EUR").fill("12,50");
  await dialog.getByLabel("Reason").selectOption("Requested by the advertiser");
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

it("says that less is left when somebody else has refunded meanwhile, and offers what is", {
  timeout: 120_000,
}, async () => {
  const { page, expectProblems } = await openPage(product.origin);
  const { at, advertiserPage, invoices, refunded } = await aPaidAd(page);
  await page.goto(advertiserPage);
  await page.getByRole("button", { name: /^Refund invoice/ }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Refund €49.00" }).waitFor();
  const [invoice] = await invoices();
  await call(page, `${at}/invoices/${invoice?.id}/refunds`, { amount: 900 });

  await dialog.getByRole("button", { name: "Refund €49.00" }).click();

  const problem = dialog.getByRole("alert");
  await problem.getByText("At most €40.00 is left to refund.").waitFor();
  await expect.poll(() => problem.evaluate((one) => one === document.activeElement)).toBe(true);
  expectProblems(/422/);
  await dialog.getByRole("button", { name: "Refund €40.00" }).click();
  await page.getByText("Refunded in full").waitFor();
  expect(await refunded()).toEqual([4900]);
});

it("shows a refund in the audit log that was in view just before", async () => {
  const { page } = await openPage(product.origin);
  const { advertiserPage } = await aPaidAd(page);
  await page.goto(advertiserPage);
  const navigation = page.getByRole("navigation");
  await navigation.getByRole("link", { name: "Audit log" }).click();
  await page.getByText("created the tier").waitFor();
  await page.goBack();

  await page.getByRole("button", { name: /^Refund invoice/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund €49.00" }).click();
  await page.getByText("Refunded in full").waitFor();
  await navigation.getByRole("link", { name: "Audit log" }).click();

  await page.getByText("refunded €49.00 of an invoice").waitFor();
});

it("offers a refund with a rejection, chosen for an ad that never ran", async () => {
  const { page } = await openPage(product.origin);
  const { adPage, refunded } = await aPaidAd(page);

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

it("leads from the overview to the refund of an ad that ended before anybody reviewed it", {
  timeout: 120_000,
}, async () => {
  const { page } = await openPage(product.origin);
  const { at, adId, overview, refunded } = await aPaidAd(page);
  const { subscription } = WITH_SUBSCRIPTION.parse(
    await (await page.request.get(`${at}/ads/${adId}`)).json(),
  );
  await call(page, `${at}/subscriptions/${subscription.id}/cancel`);

  await page.goto(overview);
  await page.getByRole("heading", { name: "Ended before they ran: refund?" }).waitFor();
  await expectAccessible(page);
  await expectNoOverflow(page, 360);
  await page.getByRole("list", { name: "Ads that never ran" }).getByRole("link").click();
  await page.getByText("This ad never ran").waitFor();
  await page.getByText("It was never live.").waitFor();
  expect(await page.getByRole("button", { name: "Approve" }).count()).toBe(0);
  await expectAccessible(page);
  await expectNoOverflow(page, 360);
  await page.getByRole("button", { name: "Reject" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("checkbox", { name: "Refund €49.00" }).waitFor();
  await dialog.getByLabel("Note to the advertiser").fill("Sorry, we were away.");
  await dialog.getByRole("button", { name: "Reject ad" }).click();
  await page.getByText("Ad rejected").first().waitFor();

  expect(await refunded()).toEqual([4900]);
  await expect.poll(() => page.getByText("This ad never ran").count()).toBe(0);
  await page.goto(overview);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("Ended before they ran").count()).toBe(0);
});

it("says before a rejection that it refunds nothing while invoices cannot be loaded", {
  timeout: 120_000,
}, async () => {
  const { page, expectProblems } = await openPage(product.origin);
  const { adPage } = await aPaidAd(page);
  await page.route(/\/invoices\?/, (route) => route.fulfill({ status: 503, body: "{}" }));

  await page.goto(adPage);
  await page.getByRole("button", { name: "Reject" }).click();

  const dialog = page.getByRole("dialog");
  await dialog.getByText("Rejecting now refunds nothing; you can refund the invoice later.").waitFor();
  expect(await dialog.getByRole("button", { name: "Reject ad" }).isEnabled()).toBe(true);
  expectProblems(/503/);
});

it("leaves the refund to choose for an ad that ran", async () => {
  const { page } = await openPage(product.origin);
  const { at, adId, adPage, refunded } = await aPaidAd(page);
  await call(page, `${at}/ads/${adId}/approve`);

  await page.goto(adPage);
  // The end of a live ad stands apart from the decisions that can be undone.
  expect(await page.getByRole("button", { name: "Reject" }).count()).toBe(0);
  await page.getByRole("button", { name: "More actions" }).click();
  const takeDown = page.getByRole("menuitem", { name: "Take down" });
  await takeDown.waitFor();
  await expectAccessible(page);
  await takeDown.click();
  const dialog = page.getByRole("dialog");
  const refund = dialog.getByRole("checkbox", { name: /^Refund €4[89]\.\d\d$/ });
  await refund.waitFor();
  expect(await refund.isChecked()).toBe(false);
  await dialog.getByLabel("Note to the advertiser").fill("Not for our readers.");
  await dialog.getByRole("button", { name: "Take down" }).click();
  await page.getByText("Ad taken down").first().waitFor();

  expect(await refunded()).toEqual([0]);
});

it("leads from what is owed to the advertiser who owes it, until the subscription has ended", {
  timeout: 120_000,
}, async () => {
  const { page } = await openPage(product.origin);
  const workspaceId = await ownWorkspace(page, "Example Weekly");
  const priceId = await priceOnSale(page, workspaceId, { amount: 4900, currency: "usd" });
  const sessionId = await buy(page, workspaceId, priceId, "0341");
  const creative = { name: "Quagga Coffee", websiteUrl: "https://quagga.example" };
  const adId = await call(page, `/v1/checkout-sessions/${sessionId}/ad`, creative);
  await call(page, `/v1/workspaces/${workspaceId}/ads/${adId}/approve`);
  const released = z.object({ subscription: z.object({ awaitsApproval: z.boolean(), status: z.string() }) });
  const subscription = async () => {
    const answer = await page.request.get(`/v1/workspaces/${workspaceId}/ads/${adId}`);
    return released.parse(await answer.json()).subscription;
  };
  await expect.poll(subscription, { timeout: 20_000 }).toMatchObject({ awaitsApproval: false });
  await page.request.post("/sandbox/settings", { data: { afterRetries: "cancel" } });
  await page.request.post("/sandbox/clock/advance", { data: { days: 32 } });
  await expect.poll(subscription, { timeout: 20_000 }).toMatchObject({ status: "PastDue" });
  await page.goto(`/w/${workspaceId}/advertisers`);
  await page.getByText("$49.00 unpaid in all").waitFor();

  await page.getByRole("button", { name: "Show who owes most" }).click();

  await expect.poll(() => page.url()).toContain("sort=unpaid");
  const row = page.getByRole("row").filter({ hasText: "Quagga Coffee" });
  await row.getByRole("cell", { name: "$49.00", exact: true }).first().waitFor();

  await page.request.post("/sandbox/clock/advance", { data: { days: 28 } });
  await expect.poll(subscription, { timeout: 20_000 }).toMatchObject({ status: "Canceled" });
  const totals = z.object({ unpaid: z.array(z.unknown()) });
  const unpaid = async () => {
    const answer = await page.request.get(`/v1/workspaces/${workspaceId}/advertisers`);
    return totals.parse(await answer.json()).unpaid;
  };
  await expect.poll(unpaid, { timeout: 20_000 }).toEqual([]);
});
