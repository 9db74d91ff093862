import { expect, it } from "vitest";
import { expectAccessible, openPage, startProduct } from "../../../infra/browser/index.ts";
import { aSoldAd, call, ownWorkspace, PASSWORD } from "./publisher.ts";

const product = startProduct();

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
  await dialog.getByLabel("Refund nothing").check();
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
  const { adId, advertiserId } = await aSoldAd(page, workspaceId, "usd");
  await call(page, `/v1/workspaces/${workspaceId}/ads/${adId}/reject`, { note: "No." });

  await page.goto(`/w/${workspaceId}/advertisers/${advertiserId}`);
  await page.getByRole("heading", { name: "Quagga Coffee", level: 1 }).waitFor();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Erase", exact: true }).click();
  await page.getByRole("button", { name: "Erase advertiser" }).click();

  await page.getByRole("heading", { name: "Erased advertiser", level: 1 }).waitFor();
  // The dialog names them until it has closed.
  await expect.poll(() => page.getByText("Quagga").count()).toBe(0);
});
