import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { expect, it } from "vitest";
import { aPicture } from "../../../services/management/selling/tests/picture.ts";
import {
  expectAccessible,
  expectInsideCards,
  expectNoOverflow,
  openPage,
  settled,
  startProduct,
} from "../index.ts";
import { giveFile, mouse, touch } from "../input.ts";
import { seeAndClick } from "../publisher-site.ts";

const product = startProduct();
const BUYER = "owner@coffee.example";
const PHONE = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 3,
  isMobile: true,
  hasTouch: true,
} as const;
/** The widths of a phone and of the narrowest window that pages are made for. */
const NARROW = [390, 320];

/** Everybody can use the page as it is now, in both themes, and it fits on phones. */
async function expectSound(page: Page): Promise<void> {
  await settled(page);
  await expectAccessible(page);
  const before = page.viewportSize();
  for (const width of NARROW) {
    await expectNoOverflow(page, width);
    await expectInsideCards(page, width);
  }
  if (before !== null) await page.setViewportSize(before);
}

it("leads a buyer on a phone from the offer to an ad that runs and ends, and its publisher along, by pressing only", {
  timeout: 300_000,
}, async () => {
  const publisher = (await openPage(product.origin)).page;
  const buyer = (await openPage(product.origin, PHONE)).page;
  const { tag, offer } = await signUpAndSell(publisher);

  await buy(buyer, offer);
  await submit(buyer, "BEST COFFEE EVER");
  await buyer.getByText("In review", { exact: true }).waitFor();
  await expectSound(buyer);

  await requestChanges(publisher, "Please write it in small letters.");
  await buyer.reload();
  await buyer.getByText("Please write it in small letters.").waitFor();
  await expectSound(buyer);
  await touch.write(buyer.getByLabel("Tagline"), "Roasted this morning");
  await touch.press(buyer.getByRole("button", { name: "Submit for review" }));
  await buyer.getByText("In review", { exact: true }).waitFor();

  await approveWhatWasSeen(publisher);
  const ad = {
    name: "Example Coffee",
    says: "Roasted this morning Visit",
    website: "https://coffee.example/",
  };
  await seeAndClick(product, tag, ad, mouse);
  await expectFigures(publisher);
  await backByMail(buyer, offer);

  await refund(publisher);
  await cancel(buyer);
  await expectCanceling(publisher);
  for (const subject of ["Example Weekly has refunded $10.00", "is canceled"])
    await expect.poll(() => subjectsTo(BUYER)).toContainEqual(expect.stringContaining(subject));
});

/** From nothing to a tier and the proposed fields; what the site has to show, and where advertisers buy. */
async function signUpAndSell(page: Page): Promise<{ tag: string; offer: string }> {
  const { press, write } = mouse;
  await page.goto("/");
  await press(page.getByRole("link", { name: "Create an account" }));
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await expectSound(page);
  await write(page.getByLabel("Name"), "Ada Example");
  await write(page.getByLabel("Email"), `ada-${crypto.randomUUID()}@example.com`);
  await write(page.getByLabel("Password", { exact: true }), "correct horse battery");
  await press(page.getByRole("button", { name: "Create account" }));

  await page.getByRole("heading", { name: "Welcome, Ada Example" }).waitFor();
  await expectSound(page);
  await write(page.getByLabel("Name"), "Example Weekly");
  await press(page.getByRole("button", { name: "Create workspace" }));
  await page.getByLabel("Tier name").waitFor();
  await expectSound(page);
  await write(page.getByLabel("Tier name"), "Gold");
  await write(page.getByLabel("Amount"), "49");
  await press(page.getByRole("button", { name: "Create tier" }));
  await page.getByRole("checkbox", { name: "Tagline" }).waitFor();
  await expectSound(page);
  await press(page.getByRole("button", { name: "Continue" }));
  const code = page.getByRole("region", { name: "Embed tag" });
  await expect.poll(() => code.textContent()).toMatch(/data-tier-id="tier_/);
  await expectSound(page);
  const tag = (await code.textContent()) ?? "";
  const offer = (await page.getByRole("link", { name: /\/advertise\// }).getAttribute("href")) ?? "";
  await press(page.getByRole("link", { name: "Go to overview" }));
  await page.getByRole("heading", { name: "No sales yet" }).waitFor();
  await expectSound(page);
  return { tag, offer };
}

async function buy(page: Page, offer: string): Promise<void> {
  await page.goto(offer);
  await page.getByText("You pay today.").waitFor();
  await expectSound(page);
  await touch.press(page.getByRole("button", { name: "Buy Gold" }));
  await page.getByRole("heading", { name: "Subscribe to Gold" }).waitFor();
  await expectSound(page);
  await touch.write(page.getByLabel("Email"), BUYER);
  await touch.press(page.getByRole("button", { name: "Pay $49.00" }).last());
  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
  await expectSound(page);
}

async function submit(page: Page, tagline: string): Promise<void> {
  await touch.write(page.getByLabel("Name", { exact: true }), "Example Coffee");
  await touch.write(page.getByLabel("Website"), "coffee.example");
  await touch.write(page.getByLabel("Tagline"), tagline);
  await touch.write(page.getByLabel("Button label"), "Visit");
  const give = (height: number) =>
    giveFile(page, touch, page.getByText("Choose an image"), {
      name: "cup.png",
      mimeType: "image/png",
      buffer: aPicture(300, [120, 70, 30], height),
    });
  await give(300);
  await page.getByText("The image has 300 × 300 pixels; its ratio must be 6:5.").waitFor();
  await give(250);
  await page.getByText("Image uploaded.").waitFor();
  await expectSound(page);
  await touch.press(page.getByRole("button", { name: "Submit for review" }));
}

/** Comes back to the dashboard, and goes from the overview to the ad that waits. */
async function openQueue(page: Page): Promise<void> {
  await page.reload();
  await mouse.press(page.getByRole("link", { name: "Overview" }));
  await mouse.press(page.getByRole("link", { name: "Review now" }));
  await mouse.press(page.getByRole("link", { name: "Review Example Coffee" }));
  await page.getByRole("heading", { level: 1, name: "Example Coffee" }).waitFor();
  await expectSound(page);
}

async function requestChanges(page: Page, note: string): Promise<void> {
  await openQueue(page);
  await mouse.press(page.getByRole("button", { name: "Request changes" }));
  const dialog = page.getByRole("dialog");
  await mouse.write(dialog.getByLabel("Note to the advertiser"), note);
  await expectSound(page);
  await mouse.press(dialog.getByRole("button", { name: "Request changes" }));
  await page.getByText("Nothing else is waiting for review.").waitFor();
  await expectSound(page);
}

async function approveWhatWasSeen(page: Page): Promise<void> {
  await openQueue(page);
  await page.getByRole("region", { name: "Changes since your note" }).getByText("Roasted").first().waitFor();
  const answered = page.waitForResponse((response) => response.url().endsWith("/approve"));
  await mouse.press(page.getByRole("button", { name: "Approve" }));
  const answer = await answered;
  expect(answer.status()).toBe(200);
  expect(answer.request().postDataJSON()).toEqual({ version: expect.any(Number) });
}

async function expectFigures(page: Page): Promise<void> {
  await mouse.press(page.getByRole("link", { name: "Overview" }));
  await mouse.press(page.getByText("Daily breakdown"));
  const today = page
    .getByRole("table", { name: /^Impressions and clicks per day/ })
    .getByRole("row")
    .nth(1);
  await expect.poll(async () => (await today.getByRole("cell").allTextContents()).join()).toBe("1,1,–");
  await expectSound(page);
}

/** Has the link to their ads sent, and follows it to the ad, which shows what was counted. */
async function backByMail(page: Page, offer: string): Promise<void> {
  await page.goto(offer);
  await touch.write(page.getByLabel("Email"), BUYER);
  await touch.press(page.getByRole("button", { name: "Send me my link" }));
  await page.getByRole("heading", { name: "Check your email" }).waitFor();
  await expectSound(page);
  await expect.poll(() => subjectsTo(BUYER)).toContain("Your ads on Example Weekly");
  const mails = await mailsTo(BUYER);
  const { text = "" } = mails.find(({ subject }) => subject === "Your ads on Example Weekly") ?? {};
  await page.goto(/https?:\S+\/ads\/\S+/.exec(text)?.[0] ?? "");
  await expectSound(page);
  await touch.press(page.getByRole("link", { name: "Example Coffee" }));

  await page.getByText("Live", { exact: true }).waitFor();
  const counted = page.locator(".stats dd");
  await expect.poll(() => counted.allTextContents()).toEqual(["1", "1", "–", "From 100 impressions on"]);
  for (const kind of ["Impressions", "Clicks"]) {
    const chart = page.getByRole("img", { name: new RegExp(`^${kind} per day from .+ to .+, at most 1$`) });
    const bars = await chart
      .locator("rect")
      .evaluateAll((all) => all.map((bar) => bar.getAttribute("height")));
    expect(bars.filter((height) => height !== "0")).toEqual(["100"]);
    expect((await chart.locator(".today title").textContent())?.endsWith(", so far: 1")).toBe(true);
  }
  await touch.press(page.getByText("Daily breakdown"));
  await expectSound(page);
}

async function refund(page: Page): Promise<void> {
  await mouse.press(page.getByRole("link", { name: "Advertisers" }));
  await page.getByRole("table", { name: "Advertisers" }).waitFor();
  await expectSound(page);
  await mouse.press(page.getByRole("table", { name: "Advertisers" }).getByRole("link").first());
  await mouse.press(page.getByRole("button", { name: /^Refund invoice/ }));
  const dialog = page.getByRole("dialog");
  await mouse.press(dialog.getByRole("radio", { name: "Partial refund" }));
  await mouse.write(dialog.getByLabel("Amount in USD"), "10");
  await dialog.getByLabel("Reason").selectOption("Requested by the advertiser");
  await mouse.write(dialog.getByLabel("Note to the advertiser"), "For the days of review.");
  await expectSound(page);
  await mouse.press(dialog.getByRole("button", { name: "Refund", exact: true }));
  await page.getByText("$10.00 refunded").first().waitFor();
  await expectSound(page);
}

/** In the billing portal, which leads back to the ad. */
async function cancel(page: Page): Promise<void> {
  await touch.press(page.getByRole("link", { name: "Manage subscription" }));
  await page.getByRole("heading", { name: "Your subscriptions" }).waitFor();
  await touch.press(page.locator("summary", { hasText: "Cancel" }));
  await expectSound(page);
  await touch.press(page.getByRole("button", { name: "Cancel at the end of the period" }));
  await page.getByRole("button", { name: "Resume subscription" }).waitFor();
  await expectSound(page);
  await touch.press(page.getByRole("link", { name: "Back" }));
  await page.getByRole("heading", { level: 1, name: "Example Coffee" }).waitFor();
  const ends = async () => {
    await page.reload();
    return await page.getByText("Ends on").count();
  };
  await expect.poll(ends, { interval: 500 }).toBe(1);
  await page.getByText("Live", { exact: true }).waitFor();
  await expectSound(page);
}

async function expectCanceling(page: Page): Promise<void> {
  await mouse.press(page.getByRole("link", { name: "Ads", exact: true }));
  const row = page.getByRole("table", { name: "Ads" }).getByRole("row", { name: /Example Coffee/ });
  const badges = async () => {
    await page.reload();
    await row.waitFor();
    return await row.getByText("Canceling").count();
  };
  await expect.poll(badges, { interval: 500 }).toBeGreaterThan(0);
  await expectSound(page);
}

async function mailsTo(address: string) {
  const files = (await readdir(product.outbox)).filter((name) => name.endsWith(".eml")).sort();
  const mails = await Promise.all(
    files.map(async (file) => PostalMime.parse(await readFile(join(product.outbox, file)))),
  );
  return mails.filter(({ to }) => to?.some((one) => one.address === address));
}

async function subjectsTo(address: string): Promise<(string | undefined)[]> {
  return (await mailsTo(address)).map(({ subject }) => subject);
}
