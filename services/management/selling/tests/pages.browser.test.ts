import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { expectAccessible, expectNoOverflow, openPage } from "../../../../infra/browser/index.ts";
import { mailTo } from "../../tests/joining.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { aPicture } from "./picture.ts";
import { aWholeAd, aWholePublisher, count, pathOf } from "./states.ts";

const service = await startManagement({ unlimited: true, stats: "real", sales: { trialDays: 14 } });
const whole = await aWholePublisher(service);
const { publisher, gold } = whole;
const offer = `/advertise/${publisher.workspace.slug}`;
const WIDTHS = [360, 768, 1440];

async function aForm() {
  const paid = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "");
  return { paid, path: pathOf(publisher, paid) };
}

async function fillIn(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("Example Coffee");
  await page.getByLabel("Website").fill("https://www.coffee.example/beans");
  await page.getByLabel("Tagline").fill("Roasted <b>this</b> morning");
}

it("takes an advertiser from the offer to an ad in review by the keyboard alone", async () => {
  const { page } = await openPage(service.origin);
  await page.goto(offer);

  await page.getByRole("link", { name: "Yearly" }).focus();
  await page.keyboard.press("Enter");
  expect(await page.getByRole("radio", { name: "$490/year" }).isChecked()).toBe(true);
  expect(page.url()).toContain("?billing=1-year");
  await page.getByRole("button", { name: "Try Gold" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
  for (const text of ["Example Coffee", "https://www.coffee.example", "Roasted this morning"]) {
    if (text === "Example Coffee") await page.getByLabel("Name", { exact: true }).focus();
    else await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");

  await page.getByRole("heading", { name: "Example Coffee" }).waitFor();
  await page.getByText("Submitted. Heron Weekly will review it and email you.").waitFor();
  await page.getByText("In review", { exact: true }).waitFor();
});

it("keeps 40 placements short on a phone, and opens the one that is asked for", async () => {
  const seller = await aPublisher(service, "Forty Weekly");
  const initialPrices = [
    { amount: 4900, interval: "Month", intervalCount: 1, currency: "usd" },
    { amount: 49_000, interval: "Year", intervalCount: 1, currency: "usd" },
  ] as const;
  const tiers = [];
  for (let place = 1; place <= 40; place += 1) {
    tiers.push(await aTier(seller, { name: `Place ${place}`, initialPrices: [...initialPrices] }));
  }
  const { page } = await openPage(service.origin, { viewport: { width: 390, height: 844 } });
  const yearly = page.getByText("$490/year");

  await page.goto(`/advertise/${seller.workspace.slug}`);
  expect(await page.locator("#your-ad").evaluate((ad) => ad.getBoundingClientRect().top)).toBeLessThan(3000);
  await page.getByRole("link", { name: "Yearly" }).click();
  await expect.poll(() => yearly.filter({ visible: true }).count()).toBe(40);
  await page.getByRole("heading", { name: "Place 7" }).click();
  await page.getByRole("radio", { name: "$49/month" }).check();
  await page.getByRole("button", { name: "Try Place 7" }).waitFor();
  // The line of the open one follows its selection, and its choice of the year is in sight.
  await expect.poll(() => page.locator("details[open] summary").textContent()).toBe("Place 7 $49/month");
  await expectAccessible(page);
  await expectNoOverflow(page, 390);

  await page.goto("about:blank");
  await page.goto(`/advertise/${seller.workspace.slug}#tier-${tiers[29]?.id}`);
  await page.getByRole("button", { name: "Try Place 30" }).click();
  await page.waitForURL(/\/sandbox\/checkout\//);
});

it("shows an ad before it is paid for, keeps it in the browser, and fills it in after the payment", async () => {
  const { page } = await openPage(service.origin);
  await page.goto(offer);
  const draft = page.locator("form[data-draft]");
  const card = page.locator("[data-creative] a");

  await draft.getByLabel("Name", { exact: true }).fill("Example Coffee");
  await draft.getByLabel("Website").fill("coffee.example");
  await draft.getByLabel("Tagline").fill("Roasted this morning");
  const logo = { name: "logo.png", mimeType: "image/png", buffer: aPicture(40, [20, 90, 200]) };
  await draft.getByLabel("Logo").setInputFiles(logo);
  await expect
    .poll(() =>
      card
        .first()
        .locator("img")
        .evaluate((image: HTMLImageElement) => image.naturalWidth),
    )
    .toBe(40);
  expect(await card.locator(".name").textContent()).toBe("Example Coffee");
  await expectAccessible(page);
  await page.reload();
  await expect.poll(() => draft.getByLabel("Tagline").inputValue()).toBe("Roasted this morning");
  await page.getByRole("button", { name: "Try Gold" }).click();
  await page.getByLabel("Email").fill("ada@example.com");
  await page.keyboard.press("Enter");
  await page.getByText("Filled in with what you typed before you paid.").waitFor();
  await page.getByText("Image uploaded.").waitFor();
  expect(await page.getByLabel("Website").inputValue()).toBe("coffee.example");
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("In review", { exact: true }).waitFor();
  await page.goto(offer);

  await expect.poll(() => draft.isVisible()).toBe(true);
  expect(await draft.getByLabel("Tagline").inputValue()).toBe("");
});

it("clears a draft on demand", async () => {
  const { page } = await openPage(service.origin);
  await page.goto(offer);
  const name = page.locator("form[data-draft]").getByLabel("Name", { exact: true });
  await name.fill("Example Coffee");
  await page.getByRole("button", { name: "Clear" }).click();
  await expect.poll(() => name.inputValue()).toBe("");
  // The browser writes it down a moment after it shows it.
  await expect.poll(() => page.evaluate(countDrafts)).toBe(0);
  await page.reload();

  await page.getByRole("heading", { name: "See your ad before you pay" }).waitFor();
  expect(await name.inputValue()).toBe("");
});

it("continues by itself when the payment is confirmed", async () => {
  const { page } = await openPage(service.origin);
  const opened = await page.request.post(`${publisher.path}/checkout-sessions`, {
    data: { tierPriceId: gold.prices[0]?.id },
  });
  const { sessionId, url }: { sessionId: string; url: string } = await opened.json();
  await page.goto(pathOf(publisher, { sessionId }));
  await page.getByText("hasn't confirmed the payment yet").waitFor();

  await page.request.post(`${url}/complete`, { data: { email: "ada@example.com" } });

  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
});

it("shows the ad as it is typed, sends an image with it, and accepts another by drag and drop", async () => {
  const { page } = await openPage(service.origin);
  const { path } = await aForm();
  await page.goto(path);
  const preview = page.locator("[data-creative]");

  await fillIn(page);
  const card = preview.getByRole("link");
  expect(await card.locator("[part]:not(.body)").allTextContents()).toEqual([
    "Example Coffee",
    "Roasted <b>this</b> morning",
    "Sponsored",
  ]);
  expect(await card.getAttribute("href")).toBe("https://www.coffee.example/beans");
  const file = { name: "a<b>.png", mimeType: "image/png", buffer: aPicture(40, [20, 90, 200]) };
  await page.locator("[data-file]").setInputFiles(file);
  await page.getByText("Image uploaded.").waitFor();
  const first = await preview.locator("img").getAttribute("src");
  await page.locator("[data-drop]").dispatchEvent("drop", {
    dataTransfer: await page.evaluateHandle(
      (bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], "b.png", { type: "image/png" }));
        return transfer;
      },
      [...aPicture(40, [200, 20, 20])],
    ),
  });
  await expect.poll(() => preview.locator("img").getAttribute("src")).not.toBe(first);
  const second = await preview.locator("img").getAttribute("src");
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("In review", { exact: true }).waitFor();

  expect(first).toMatch(/\/uploads\/.+\.png$/);
  expect(await page.locator("[data-creative] img").getAttribute("src")).toBe(second);
  await expect
    .poll(() => page.locator("[data-creative] img").evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBe(40);
});

it("refuses a file of another kind or too large before it is sent, and lets an image be removed", async () => {
  const { page } = await openPage(service.origin);
  const { path } = await aForm();
  await page.goto(path);
  const file = page.locator("[data-file]");
  const status = page.locator("[data-status]");

  await file.setInputFiles({ name: "x.svg", mimeType: "image/svg+xml", buffer: Buffer.from("<svg/>") });
  expect(await status.innerText()).toBe("Unsupported file type. Use PNG, JPEG, WebP, GIF or AVIF.");
  await file.setInputFiles({ name: "x.png", mimeType: "image/png", buffer: Buffer.alloc(1_000_001) });
  expect(await status.innerText()).toBe("The image has 1 MB; the limit is 0.9 MB.");
  await file.setInputFiles({ name: "x.png", mimeType: "image/png", buffer: aPicture(8, [0, 0, 0]) });
  await page.getByText("Image uploaded.").waitFor();
  await page.getByRole("button", { name: "Remove image" }).click();

  expect(await page.locator('input[name="meta.logo"]').inputValue()).toBe("");
  expect(await page.locator("[data-creative] img").count()).toBe(0);
});

it("waits for an image that is on its way before the form is sent, and stops it on demand", async () => {
  const { page } = await openPage(service.origin);
  const { path } = await aForm();
  await page.goto(path);
  await fillIn(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/uploads/**", async (route) => {
    if (route.request().method() === "PUT") await held.promise;
    await route.continue();
  });
  const picture = { name: "x.png", mimeType: "image/png", buffer: aPicture(8, [0, 0, 0]) };

  await page.locator("[data-file]").setInputFiles(picture);
  await page.getByRole("progressbar", { name: "Logo" }).waitFor();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByText("Upload canceled.").waitFor();
  await page.locator("[data-file]").setInputFiles(picture);
  await page.getByText("Uploading…").waitFor();
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("Your ad will be submitted as soon as the image is uploaded.").waitFor();
  held.resolve();

  await page.getByText("In review", { exact: true }).waitFor();
  // It has no size before it has loaded.
  await page.locator("[data-creative] img").waitFor();
});

it("begins with the first mistake, keeps what was typed, and works without script", async () => {
  const { page, expectProblems } = await openPage(service.origin, { javaScriptEnabled: false });
  const { path } = await aForm();
  await page.goto(path);
  await page.getByLabel("Name", { exact: true }).fill("Example Coffee");
  await page.getByLabel("Website").fill("coffee");

  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("Please fix the following:").waitFor();
  expectProblems(/422/);
  expect(await page.locator(":focus").getAttribute("name")).toBe("websiteUrl");
  expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("Example Coffee");
  await fillIn(page);
  await page.locator('input[name="meta.logo"]').fill("https://coffee.invalid/logo.png");
  await page.locator('input[name="meta.logo"]').fill("");
  await page.getByRole("button", { name: "Submit for review" }).click();

  await page.getByText("In review", { exact: true }).waitFor();
});

it("completes a website without a scheme, and takes errors away while they are being fixed", async () => {
  const { page, expectProblems } = await openPage(service.origin);
  const { path } = await aForm();
  await page.goto(path);
  const tagline = page.getByLabel("Tagline");
  expect(await page.getByText("0/60", { exact: true }).count()).toBe(1);
  await page.getByLabel("Website").fill("lumen.example");
  await tagline.fill("");
  await page.getByRole("button", { name: "Submit for review" }).click();
  const summary = page.getByRole("alert");
  await summary.waitFor();
  expectProblems(/422/);
  const lines = summary.getByRole("listitem");
  const before = await lines.count();
  const gap = await summary.evaluate(
    (box) => box.getBoundingClientRect().top - (box.closest("form")?.getBoundingClientRect().top ?? 0),
  );

  await tagline.fill("Lamps that last");

  expect(await tagline.getAttribute("aria-invalid")).toBe(null);
  expect(await lines.count()).toBe(before - 1);
  expect(await page.locator("#field-tagline-error").count()).toBe(0);
  expect(gap).toBeLessThan(30);
  await page.getByLabel("Name", { exact: true }).fill("Lumen");
  expect(await summary.count()).toBe(0);
  await page.getByRole("button", { name: "Submit for review" }).click();
  await page.getByText("In review", { exact: true }).waitFor();
  const website = page.locator("dd").getByRole("link", { name: "https://lumen.example" });
  expect(await website.count()).toBe(1);
});

it("marks what is required, and shows the banner apart from the headline", async () => {
  const { page } = await openPage(service.origin);
  const { path } = await aForm();
  await page.goto(path);
  const starOf = (label: string) =>
    page
      .locator("label", { hasText: label })
      .first()
      .evaluate((element) => getComputedStyle(element, "::after").content);

  expect(
    [await starOf("Name"), await starOf("Website"), await starOf("Tagline")].every((star) =>
      star.includes("*"),
    ),
  ).toBe(true);
  await page.getByText("* Required").waitFor();
  await fillIn(page);
  await page.getByRole("button", { name: "Submit for review" }).click();
  const banner = await page.getByText("Submitted. Heron Weekly will review it").boundingBox();
  const headline = await page.getByRole("heading", { level: 1 }).boundingBox();
  expect((headline?.y ?? 0) - (banner?.y ?? 0) - (banner?.height ?? 0)).toBeGreaterThanOrEqual(12);
});

it("shows a sample ad and what has to be submitted, before anything is paid", async () => {
  const { page } = await openPage(service.origin);
  await page.goto(offer);

  const sample = page.getByRole("region", { name: "Your ad" }).getByRole("group", { name: "Sponsored" });
  await sample.getByText("Your company").waitFor();
  const asked = await page
    .getByRole("region", { name: "What you submit" })
    .locator("dl > div")
    .allInnerTexts();

  expect(asked.map((line) => line.replace(/\s+/g, " ")).slice(0, 3)).toEqual([
    "Name Required · Up to 80 characters.",
    "Website Required · The page people land on when they click.",
    "Tagline Required · Up to 60 characters.",
  ]);
});

it("shows an uploaded image on the status page as an image, and when a canceled subscription ends", async () => {
  const { page } = await openPage(service.origin);
  const ad = await aWholeAd(service, whole);
  await ad.approve();
  await ad.bill({ status: "Active", cancel_at_period_end: true });
  await page.goto(ad.page);

  expect(await page.locator("dd img.value-image").count()).toBe(1);
  expect(await page.locator("dd a[href*='/uploads/']").count()).toBe(0);
  expect(await page.getByText(/^Ends on/).count()).toBe(1);
});

it("refuses an image that is too small before it is sent, and says what the field asks for", async () => {
  const strict = await aWholePublisher(service);
  const logo = strict.fields.find(({ type }) => type === "Image");
  await strict.publisher.caller.request("PATCH", `${strict.publisher.path}/fields/${logo?.id}`, {
    image: { width: 300, height: 250, minWidth: 300 },
  });
  const paid = await aPaidCheckout(service, strict.publisher, strict.gold.prices[0]?.id ?? "");
  const { page } = await openPage(service.origin);
  await page.goto(pathOf(strict.publisher, paid));

  await page.locator("[data-file]").setInputFiles({
    name: "x.png",
    mimeType: "image/png",
    buffer: aPicture(40, [0, 0, 0]),
  });

  await page.getByText("Recommended: 300 × 250 pixels. At least 300 pixels in width.").waitFor();
  await page.getByText("The image has 40 × 40 pixels; it must have at least 300 pixels in width.").waitFor();
  expect(await page.locator('input[name="meta.logo"]').inputValue()).toBe("");
});

it("is accessible in both themes and fits every width, in every state", async () => {
  const opened = await fetch(`${service.origin}${publisher.path}/checkout-sessions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ tierPriceId: gold.prices[0]?.id }),
  });
  const { sessionId }: { sessionId: string } = JSON.parse(await opened.text());
  const { path: form } = await aForm();
  const asked = await aWholeAd(service, whole);
  await asked.decide("request-changes", "Please use fewer capitals,\nand a picture of the shop.");
  const onAir = await aWholeAd(service, whole);
  await onAir.approve();
  await count(service, { workspaceId: publisher.workspace.id, adId: onAir.id }, [
    [40, 3],
    [25, 1],
  ]);
  await onAir.submit({ name: "Example Coffee and a name that is as long as a name may be, which is long" });
  await onAir.decide("revision/request-changes", "x".repeat(400));
  const rejected = await aWholeAd(service, whole);
  await rejected.decide("reject", "We show no coffee.");
  const overdue = await aWholeAd(service, whole);
  await overdue.approve();
  await overdue.bill({ status: "PastDue" });
  const paths = [
    offer,
    pathOf(publisher, { sessionId }),
    form,
    asked.page,
    onAir.page,
    `${onAir.page}/edit`,
    rejected.page,
    overdue.page,
  ];
  await publisher.caller.request("PATCH", `${publisher.path}/settings`, {
    contactEmail: "advertising-and-partnerships@the-heron-weekly-newspaper.example",
  });
  const { page, expectProblems } = await openPage(service.origin);

  for (const path of paths) {
    await page.goto(path);
    await expectAccessible(page);
    for (const width of WIDTHS) await expectNoOverflow(page, width);
  }
  await page.goto("/advertise/nobody-here");
  await expectAccessible(page);
  expectProblems(/404/);
});

it("shows an advertiser the report of their ad, and shares it until they turn the link off", async () => {
  const ad = await aWholeAd(service, whole);
  await ad.approve();
  await count(service, { workspaceId: publisher.workspace.id, adId: ad.id }, [
    [400, 8],
    [300, 0],
  ]);
  const { page } = await openPage(service.origin);
  await page.goto(ad.page);
  await page.getByRole("link", { name: "Full report" }).click();
  await page.getByRole("heading", { name: "Totals" }).waitFor();
  await page.getByLabel("Split by").selectOption("Device");
  await page.getByLabel("By", { exact: true }).selectOption("Week");
  await page.getByRole("button", { name: "Show" }).click();

  await page.getByRole("row", { name: "Not known 700 8 1.14%" }).waitFor();
  await expectAccessible(page);
  for (const width of [320, ...WIDTHS]) await expectNoOverflow(page, width);

  await page.getByRole("button", { name: "Create a link" }).click();
  const link = await page.getByLabel("Link").inputValue();
  await expectAccessible(page);
  const colleague = await openPage(service.origin);
  await colleague.page.goto(link);
  await colleague.page.getByRole("link", { name: "7 days", exact: true }).click();
  await colleague.page.locator('[aria-current="true"]', { hasText: "7 days" }).waitFor();
  await expectAccessible(colleague.page);
  expect(await colleague.page.getByRole("button").allTextContents()).toEqual(["Show"]);

  await page.getByRole("button", { name: "Turn the link off" }).click();
  await page.getByRole("button", { name: "Create a link" }).waitFor();
  await colleague.page.reload();
  await colleague.page.getByRole("heading", { name: "Page not found" }).waitFor();
  colleague.expectProblems(/404/);
});

it("needs far less than 100 KB of script", async () => {
  const { page } = await openPage(service.origin);
  const { path } = await aForm();
  let bytes = 0;
  page.on("response", async (response) => {
    if (response.request().resourceType() === "script") bytes += (await response.body()).length;
  });

  await page.goto(path, { waitUntil: "networkidle" });

  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(20_000);
});

it("sends an advertiser who has lost the link to all their ads, by keyboard and on a phone", async () => {
  const email = "agency@example.com";
  const bought = await aPaidCheckout(service, publisher, gold.prices[0]?.id ?? "", email);
  await bought.caller.request("GET", bought.path);
  const { page, expectProblems } = await openPage(service.origin, {
    viewport: { width: 360, height: 740 },
  });
  await page.goto(offer);

  await page.getByLabel("Email").fill("agency");
  await page.keyboard.press("Enter");
  await page.getByText("Enter an email address, such as you@example.com.").waitFor();
  expectProblems(/422/);
  await expectAccessible(page);
  await expectNoOverflow(page, 320);
  await page.getByLabel("Email").fill(email);
  await page.keyboard.press("Enter");
  await page.getByText("If this address has bought advertising here, we've sent the link.").waitFor();
  await expectAccessible(page);
  const mail = await mailTo(service, email, "Your ads on Heron Weekly");
  await page.goto(/https?:\S+\/ads\/\S+/.exec(mail.text)?.[0] ?? "");
  await page.getByRole("heading", { name: "Your ads on Heron Weekly" }).waitFor();
  await expectAccessible(page);
  for (const width of [320, ...WIDTHS]) await expectNoOverflow(page, width);
  await page.getByRole("link", { name: "No ad yet" }).click();

  await page.getByRole("heading", { name: "Submit your ad" }).waitFor();
  await page.goto(`${offer}/ads/no-such-link`);
  expectProblems(/404/);
  await expectAccessible(page);
});

/** How many drafts the browser keeps for the page's site. */
function countDrafts(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open("placard");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const counting = opening.result.transaction("drafts").objectStore("drafts").count();
      counting.onerror = () => reject(counting.error);
      counting.onsuccess = () => resolve(counting.result);
    };
  });
}
