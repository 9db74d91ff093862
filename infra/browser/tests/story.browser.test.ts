import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openPage, startProduct } from "../index.ts";
import { giveFile, type Input, keyboard, mouse } from "../input.ts";
import { seeAndClick } from "../publisher-site.ts";

const product = startProduct();
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC",
  "base64",
);

it.each([
  ["by clicking", mouse],
  ["by the keyboard alone", keyboard],
])(
  "leads from a sign-up to an ad that is seen, clicked and counted, %s",
  { timeout: 120_000 },
  async (_how, input) => {
    const publisher = await openPage(product.origin);
    const { tag, offer } = await signUpAndSell(publisher.page, input);
    const advertiser = await openPage(product.origin);
    await buyAndSubmit(advertiser.page, input, offer);
    await approve(publisher.page, input);

    const ad = {
      name: "Example Coffee",
      says: "Roasted this morning",
      website: "https://coffee.example/beans",
    };
    await seeAndClick(product, tag, ad, input);

    await input.press(publisher.page.getByRole("link", { name: "Overview" }));
    await input.press(publisher.page.getByText("Daily breakdown"));
    const today = publisher.page
      .getByRole("table", { name: /^Impressions and clicks per day/ })
      .getByRole("row")
      .nth(1);
    await expect
      .poll(async () => (await today.getByRole("cell").allTextContents()).join(), { timeout: 20_000 })
      .toBe("1,1,–");
    await advertiser.page.reload();
    await advertiser.page.getByText("Live", { exact: true }).waitFor();
  },
);

/** From nothing to a tier with two prices and two fields; what the site has to show, and where advertisers buy. */
async function signUpAndSell(page: Page, input: Input): Promise<{ tag: string; offer: string }> {
  await page.goto("/");
  await input.press(page.getByRole("link", { name: "Create an account" }));
  await input.write(page.getByLabel("Name"), "Ada Example");
  await input.write(page.getByLabel("Email"), `ada-${crypto.randomUUID()}@example.com`);
  await input.write(page.getByLabel("Password", { exact: true }), "correct horse battery");
  await input.press(page.getByRole("button", { name: "Create account" }));

  await page.getByRole("heading", { name: "Welcome, Ada Example" }).waitFor();
  await input.write(page.getByLabel("Name"), "Example Weekly");
  await input.press(page.getByRole("button", { name: "Create workspace" }));
  await input.write(page.getByLabel("Tier name"), "Gold");
  await input.write(page.getByLabel("Amount"), "49");
  await input.press(page.getByRole("button", { name: "Create tier" }));
  await input.press(page.getByRole("link", { name: "Skip" }));
  const tag = (await page.getByRole("region", { name: "Embed tag" }).textContent()) ?? "";
  const offer = (await page.getByRole("link", { name: /\/advertise\// }).getAttribute("href")) ?? "";
  await input.press(page.getByRole("link", { name: "Go to overview" }));

  await input.press(page.getByRole("link", { name: "Tiers" }));
  await input.press(page.getByRole("link", { name: "Gold" }));
  await input.press(page.getByRole("button", { name: /add.*price|new price/i }));
  const price = page.getByRole("form", { name: "New price" });
  await input.write(price.getByLabel("Amount"), "490");
  await input.choose(price.getByLabel("Period"), "year");
  await input.press(price.getByRole("button", { name: "Add price" }));
  await page.getByText("Price added").waitFor();

  for (const [name, type] of [
    ["Tagline", "Text"],
    ["Logo", "Image"],
  ] as const) {
    await input.press(page.getByRole("link", { name: "Fields", exact: true }));
    await input.press(page.getByRole("link", { name: "New field" }).first());
    const form = page.getByRole("form", { name: "New field" });
    await input.write(form.getByLabel("Name"), name);
    if (type !== "Text") await input.choose(form.getByRole("combobox", { name: "Type" }), type);
    await input.press(form.getByRole("button", { name: "Create field" }));
    await page.getByText("Field created").first().waitFor();
  }
  return { tag, offer };
}

async function buyAndSubmit(page: Page, input: Input, offer: string): Promise<void> {
  await page.goto(offer);
  await input.press(page.getByRole("link", { name: "Yearly" }));
  await input.press(page.getByRole("button", { name: "Gold" }));
  await input.write(page.getByLabel("Email"), "owner@coffee.example");
  await input.press(page.getByRole("button", { name: /^Pay|^Subscribe/ }).last());

  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
  await input.write(page.getByLabel("Name", { exact: true }), "Example Coffee");
  await input.write(page.getByLabel("Website"), "https://coffee.example/beans");
  await input.write(page.getByLabel("Tagline"), "Roasted this morning");
  // With a mouse its label is pressed: by itself it is not to be seen.
  const fileInput = input === mouse ? page.getByText("Choose an image") : page.locator("[type=file]");
  await giveFile(page, input, fileInput, {
    name: "logo.png",
    mimeType: "image/png",
    buffer: PNG,
  });
  await page.getByText("Image uploaded.").waitFor();
  await input.press(page.getByRole("button", { name: "Submit for review" }));
  await page.getByText("In review", { exact: true }).waitFor();
}

/** Comes to the overview, which leads to what waits. */
async function approve(page: Page, input: Input): Promise<void> {
  await input.press(page.getByRole("link", { name: "Overview" }));
  await input.press(page.getByRole("link", { name: "Review now" }));
  await input.press(page.getByRole("link", { name: "Review Example Coffee" }));
  // The page shows it as done before the answer is there.
  const answered = page.waitForResponse((response) => response.url().endsWith("/approve"));
  await input.press(page.getByRole("button", { name: "Approve" }));
  expect((await answered).status()).toBe(200);
  await page.getByText("Approved", { exact: true }).first().waitFor();
}
