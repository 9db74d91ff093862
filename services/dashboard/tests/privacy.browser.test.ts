import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { expectAccessible, openPage, startProduct } from "../../../infra/browser/index.ts";

const product = startProduct();
const PASSWORD = "correct horse battery";

/** Signs up and makes a workspace; returns its id. */
async function ownWorkspace(page: Page, name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  await page.request.post("/api/auth/sign-up/email", { data: { name: "Ada", email, password: PASSWORD } });
  return await call(page, "/v1/workspaces", { name });
}

/** Posts to the API with the page's session; returns the id in the answer. */
async function call(page: Page, path: string, data: object = {}): Promise<string> {
  const answer = await page.request.post(path, { data });
  expect(answer.status(), path).toBe(200);
  return z.object({ id: z.string().default("") }).parse(await answer.json()).id;
}

/** An advertiser whose ad was rejected; returns their id. */
async function aFormerAdvertiser(page: Page, workspaceId: string): Promise<string> {
  const at = `/v1/workspaces/${workspaceId}`;
  const made = await page.request.post(`${at}/tiers`, {
    data: { name: "Gold", weight: 1, initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }] },
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
  const rejected = await page.request.post(`${at}/ads/${adId}/reject`, { data: { note: "No." } });
  const shape = z.object({ subscription: z.object({ advertiser: z.object({ id: z.string() }) }) });
  return shape.parse(await rejected.json()).subscription.advertiser.id;
}

it("deletes a workspace once its name is typed, and the account after it", async () => {
  const { page, expectProblems } = await openPage(product.origin);
  const workspaceId = await ownWorkspace(page, "Example Weekly");

  await page.goto("/account");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await page.getByText("You are the only Owner of “Example Weekly”").waitFor();
  expectProblems(/409/);

  await page.goto(`/w/${workspaceId}/settings`);
  const card = page.getByRole("region", { name: "Delete workspace" });
  await card.getByRole("button", { name: "Delete workspace" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("To confirm, type Example Weekly").fill("Example");
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await dialog.getByText("This isn’t the name of the workspace.").waitFor();
  await expectAccessible(page);
  await dialog.getByLabel("To confirm, type Example Weekly").fill("Example Weekly");
  await dialog.getByRole("button", { name: "Delete workspace" }).click();
  await page.getByRole("heading", { name: "Welcome, Ada" }).waitFor();

  await page.goto("/account");
  await page.getByRole("button", { name: "Delete account" }).click();
  await page.getByLabel("Your password").fill(PASSWORD);
  await page.getByRole("dialog").getByRole("button", { name: "Delete account" }).click();
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
});

it("downloads one's own data and a workspace's", async () => {
  const { page } = await openPage(product.origin);
  const workspaceId = await ownWorkspace(page, "Another Weekly");

  await page.goto("/account");
  const [own] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download my data" }).click(),
  ]);
  await page.goto(`/w/${workspaceId}/settings`);
  const [all] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Export data" }).click(),
  ]);

  expect(own.suggestedFilename()).toMatch(/^person-[\d-]+\.json$/);
  expect(all.suggestedFilename()).toMatch(/^workspace-[\d-]+\.json$/);
});

it("erases an advertiser, after asking", async () => {
  const { page } = await openPage(product.origin);
  const workspaceId = await ownWorkspace(page, "Third Weekly");
  const advertiserId = await aFormerAdvertiser(page, workspaceId);

  await page.goto(`/w/${workspaceId}/advertisers/${advertiserId}`);
  await page.getByRole("heading", { name: "Quagga Coffee", level: 1 }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Erase", exact: true }).click();
  await page.getByRole("button", { name: "Erase advertiser" }).click();

  await page.getByRole("heading", { name: "Erased advertiser", level: 1 }).waitFor();
  expect(await page.getByText("Quagga").count()).toBe(0);
});
