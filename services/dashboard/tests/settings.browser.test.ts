import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import {
  expectAccessible,
  expectInsideCards,
  expectNoOverflow,
  openPage,
  settled,
  startProduct,
} from "../../../infra/browser/index.ts";

const product = startProduct();

const A_PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

/** An owner who is signed in, with a workspace that sells one tier for 49 dollars a month. */
async function anOwner(page: Page) {
  const post = async (path: string, data: object) => {
    const answer = await page.request.post(path, { data });
    expect(answer.status(), path).toBe(200);
    return z.object({ id: z.string().default("") }).parse(await answer.json()).id;
  };
  const email = `${crypto.randomUUID()}@example.com`;
  await post("/api/auth/sign-up/email", { name: "Ada", email, password: "correct horse battery" });
  const id = await post("/v1/workspaces", { name: "Heron Weekly" });
  await post(`/v1/workspaces/${id}/tiers`, {
    name: "Gold",
    weight: 1,
    initialPrices: [{ amount: 4_900, intervalCount: 1, currency: "usd" }],
  });
  return { settings: `/w/${id}/settings`, offer: `/advertise/${id}` };
}

async function expectSound(page: Page): Promise<void> {
  await settled(page);
  await expectAccessible(page);
  for (const width of [320, 390]) {
    await expectNoOverflow(page, width);
    await expectInsideCards(page, width);
  }
}

it("recommends a contact email, refuses what is none, and shows it to advertisers", async () => {
  const { page } = await openPage(product.origin);
  const { settings, offer } = await anOwner(page);
  await page.goto(`${settings}?tab=page`);
  const card = page.getByRole("region", { name: "Contact" });
  const input = card.getByLabel("Contact email");
  const save = card.getByRole("button", { name: "Save" });
  await card.getByText("We recommend adding one.").waitFor();
  expect(await save.isDisabled()).toBe(true);

  await input.fill("not an address");
  await save.click();
  await expect.poll(() => input.getAttribute("aria-invalid")).toBe("true");
  await expectSound(page);
  await input.fill("ads@heron.example");
  await save.click();
  await page.getByText("Contact saved").waitFor();
  expect(await card.getByText("We recommend adding one.").count()).toBe(0);

  await page.goto(offer);
  const link = page.getByRole("link", { name: "ads@heron.example" });
  expect(await link.getAttribute("href")).toBe("mailto:ads@heron.example");
  await page.goto(`${settings}?tab=page`);
  await input.fill("");
  await save.click();
  await card.getByText("We recommend adding one.").waitFor();
  await page.goto(offer);
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await link.count()).toBe(0);
});

it("lets an owner choose when advertisers are charged and how long a failed renewal leaves an ad live", async () => {
  const { page } = await openPage(product.origin);
  const { settings, offer } = await anOwner(page);
  await page.goto(offer);
  await page.getByText("You pay today.").waitFor();

  await page.goto(`${settings}?tab=payments`);
  const card = page.getByRole("region", { name: "Billing" });
  const grace = card.getByLabel("Grace period");
  expect(await grace.inputValue()).toBe("3");
  expect(await grace.getByRole("option").allTextContents()).toEqual([
    "None: the ad goes off immediately",
    "1 day",
    ...Array.from({ length: 13 }, (_none, index) => `${index + 2} days`),
  ]);
  await card.getByLabel("Charge advertisers").selectOption("When you approve their ad");
  await grace.selectOption("14 days");
  await card.getByRole("button", { name: "Save" }).click();
  await page.getByText("Billing saved").waitFor();
  await expectSound(page);
  await page.reload();
  await expect.poll(() => card.getByLabel("Charge advertisers").inputValue()).toBe("approval");
  expect(await grace.inputValue()).toBe("14");

  await page.goto(offer);
  const rule = page.getByText(
    "Your card is saved at checkout and charged once your ad is approved. If it's rejected, you pay nothing.",
  );
  await rule.waitFor();
  await page.getByRole("button", { name: "Buy Gold" }).click();
  await rule.waitFor();
  const due = page.locator(".sums > div", { hasText: "Due today" });
  expect(await due.locator("dd").textContent()).toBe("$0.00");
  await expectSound(page);
});

it("asks nobody about changes that are saved, also while the list that they are in still loads", async () => {
  const { page } = await openPage(product.origin);
  const { settings } = await anOwner(page);
  const fields = settings.replace("/settings", "/fields");
  await page.goto(`${fields}?edit=new`);
  await page.getByRole("form", { name: "New field" }).getByLabel("Name").fill("Tagline");
  const { promise: loaded, resolve: letLoad } = Promise.withResolvers<void>();
  await page.route(/\/v1\/workspaces\/[^/]+\/fields/, async (route) => {
    if (route.request().method() === "GET") await loaded;
    await route.continue();
  });

  await page.getByRole("button", { name: "Create field" }).click();
  await page.getByText("Field created").waitFor();
  await page.getByRole("link", { name: "Tiers" }).click();

  await page.getByRole("heading", { name: "Tiers", level: 1 }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
  letLoad();
});

it("shows on a phone the tab that a link leads to", async () => {
  const { page } = await openPage(product.origin, { viewport: { width: 390, height: 780 } });
  const { settings } = await anOwner(page);

  await page.goto(`${settings}?tab=mails`);

  const tab = page.getByRole("tab", { name: "Emails" });
  await expect
    .poll(() => tab.evaluate((shown) => shown.getBoundingClientRect().right <= window.innerWidth))
    .toBe(true);
});

it("keeps a media kit with a logo, topics and questions, and asks for a missing answer", async () => {
  const { page } = await openPage(product.origin);
  const { settings } = await anOwner(page);
  await page.goto(`${settings}?tab=page`);
  const form = page.getByRole("form", { name: "Media kit" });

  await form.getByLabel("Description").fill("About clay.");
  const [chooser] = await Promise.all([
    page.waitForEvent("filechooser"),
    form.getByRole("button", { name: "Upload an image" }).click(),
  ]);
  await chooser.setFiles({ name: "logo.png", mimeType: "image/png", buffer: A_PIXEL });
  await form.getByRole("img", { name: "Your logo" }).waitFor();
  await form.getByLabel("Topics").fill("Ceramics");
  await page.keyboard.press("Enter");
  await form.getByRole("button", { name: "Add a question" }).click();
  await form.getByLabel("Question 1", { exact: true }).fill("When is the next issue?");
  await form.getByRole("button", { name: "Save" }).click();
  await form.getByText("Enter an answer.").waitFor();
  await expectSound(page);
  await form.getByLabel("Answer 1", { exact: true }).fill("Every Thursday.");
  await form.getByRole("button", { name: "Save" }).click();
  await page.getByText("Media kit saved").waitFor();
  await page.reload();

  await expect.poll(() => form.getByLabel("Description").inputValue()).toBe("About clay.");
  await form.getByText("Ceramics").waitFor();
  await form.getByRole("img", { name: "Your logo" }).waitFor();
  expect(await form.getByLabel("Answer 1", { exact: true }).inputValue()).toBe("Every Thursday.");
});

it("opens the first tab for an address that names no tab", async () => {
  const { page } = await openPage(product.origin);
  const { settings } = await anOwner(page);

  await page.goto(`${settings}?tab=emails`);

  await page.getByRole("tab", { name: "General", selected: true }).waitFor();
  await page.getByRole("region", { name: "Workspace", exact: true }).waitFor();
});

it("lets an owner choose when they are told that an ad is not seen", async () => {
  const { page } = await openPage(product.origin);
  const { settings } = await anOwner(page);
  await page.goto(`${settings}?tab=mails`);
  const card = page.getByRole("region", { name: "Alerts" });
  const hours = card.getByLabel("Time without views");
  await expectSound(page);

  await hours.selectOption("2 days");
  await card.getByRole("button", { name: "Save" }).click();
  await page.getByText("Alerts saved").waitFor();
  await page.reload();

  expect(await hours.inputValue()).toBe("48");
});
