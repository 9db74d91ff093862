import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { z } from "zod";
import { openAsDemo, readWelcome } from "../../../infra/browser/demo-site.ts";
import { expectAccessible, expectNoOverflow, openPage, startProduct } from "../../../infra/browser/index.ts";
import { embedTag } from "../components/embed-code.ts";

const product = startProduct({ SEED: "demo" });
const TIER = /data-tier-id="(tier_\w+)"/;
const HEIGHT = /data-min-height="(\d+)" style="min-height: \1px"/;

/** From a sign-up to the step after the first tier. */
async function signUpAndCreateTier(page: Page): Promise<void> {
  await page.goto("/sign-up");
  await page.getByLabel("Name").fill("Ada Example");
  await page.getByLabel("Email").fill(`ada-${crypto.randomUUID()}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Welcome, Ada Example" }).waitFor();
  await page.getByLabel("Name").fill("Example Weekly");
  await page.getByRole("button", { name: "Create workspace" }).click();
  await page.getByLabel("Tier name").fill("Gold");
  await page.getByLabel("Amount").fill("49");
  await page.getByRole("button", { name: "Create tier" }).click();
}

async function tagOf(page: Page): Promise<string> {
  const region = page.getByRole("region", { name: "Embed tag" }).last();
  await expect.poll(() => region.textContent()).toMatch(TIER);
  return (await region.textContent()) ?? "";
}

it("proposes three fields to a new publisher, makes those that stay ticked, and gives a tag for the new tier", async () => {
  const { page } = await openPage(product.origin);
  await signUpAndCreateTier(page);
  await page.getByRole("heading", { name: "What do advertisers submit?" }).waitFor();
  for (const name of ["Tagline", "Image", "Button label"]) {
    expect(await page.getByRole("checkbox", { name }).isChecked()).toBe(true);
  }
  await expectAccessible(page);
  for (const width of [360, 1440]) await expectNoOverflow(page, width);
  await page.getByRole("checkbox", { name: "Button label" }).uncheck();
  await page.getByRole("button", { name: "Continue" }).click();

  await page.getByLabel("Width of your column (px)").fill("680");
  const wide = await tagOf(page);
  await page.getByLabel("Width of your column (px)").fill("300");
  const tag = await tagOf(page);
  await page.getByRole("link", { name: "Go to overview" }).click();
  const overview = await tagOf(page);
  await page.getByRole("link", { name: "Tiers" }).click();
  await page.getByRole("link", { name: "Gold" }).click();
  const address = page.url();
  const ofTier = await tagOf(page);
  await page.getByRole("link", { name: "Fields", exact: true }).click();
  await page.getByRole("link", { name: "Image", exact: true }).waitFor();

  expect(await page.getByRole("link", { name: "Button label" }).count()).toBe(0);
  expect(tag).toMatch(HEIGHT);
  expect(Number(HEIGHT.exec(wide)?.[1])).not.toBe(Number(HEIGHT.exec(tag)?.[1]));
  expect(tag).toContain('data-image-size="600x500"');
  expect([overview, ofTier]).toEqual([tag, tag]);
  expect(address).toContain(TIER.exec(tag)?.[1]);
  await page.getByRole("link", { name: "Image", exact: true }).click();
  const sizes = ["Recommended width", "Recommended height", "Ratio", "Minimum width", "Minimum height"];
  expect(await Promise.all(sizes.map((label) => page.getByLabel(label).inputValue()))).toEqual([
    "600",
    "500",
    "6:5",
    "300",
    "250",
  ]);
});

it("builds a placement for chosen tiers, as a tag, in React and as a module, with a preview of its size", async () => {
  const { page } = await openAsDemo(product);
  await page.goto(`/w/${readWelcome(product).workspaceId}/settings?tab=embed`);
  await page.getByRole("combobox", { name: "Tiers" }).click();
  for (const name of ["Headline", "Footer"]) await page.getByRole("option", { name }).click();
  await page.keyboard.press("Escape");
  await page.getByLabel("Number of ads").fill("2");
  await page.getByLabel("Width of your column").fill("340");

  const tag = await page.getByLabel("2. Add where the ad should appear").inputValue();
  const [, height] = HEIGHT.exec(tag) ?? [];
  const drawn = page.getByRole("group", { name: "Sponsored" });
  const tiers = /data-tier-id="(tier_\w+),(tier_\w+)" data-count="2"/.exec(tag) ?? [];
  await page.getByText("React", { exact: true }).click();
  const inReact = await page.getByRole("region", { name: "React code" }).textContent();
  await page.getByText("Module", { exact: true }).click();
  const asModule = await page.getByRole("region", { name: "Module code" }).textContent();

  expect(tiers).toHaveLength(3);
  const ids = `["${tiers[1]}","${tiers[2]}"]`;
  expect(inReact).toContain(`tierId={${ids}} count={2}`);
  expect(asModule).toContain(`tierId: ${ids}, count: 2`);
  expect(await drawn.locator("[part=ad]").count()).toBe(2);
  expect(Math.ceil((await drawn.boundingBox())?.height ?? 0)).toBe(Number(height));
});

/** Calls the API with the demo's key. */
async function call<T>(method: string, path: string, answer: z.ZodType<T>, body: unknown = {}): Promise<T> {
  const response = await fetch(`${product.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${readWelcome(product).key}`, "content-type": "application/json" },
    ...(method === "GET" ? {} : { body: JSON.stringify(body) }),
  });
  return answer.parse(await response.json());
}

const withId = z.object({ id: z.string() });

it("shows buyer, reviewer and visitor the same card, with hostile values as text", async () => {
  const { workspaceId } = readWelcome(product);
  const path = `/v1/workspaces/${workspaceId}`;
  const tier = await call("POST", `${path}/tiers`, withId.extend({ prices: z.array(withId) }), {
    name: "Proof",
    weight: 1,
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const fields = await call(
    "GET",
    `${path}/fields`,
    z.object({ items: z.array(withId.extend({ key: z.string() })) }),
  );
  const served = await call(
    "GET",
    `${path}/ads/serving`,
    z.object({ ads: z.array(z.object({ meta: z.object({ image: z.string() }) })) }),
  );
  const values = {
    tagline: "<img src=x onerror=alert(1)>",
    image: served.ads[0]?.meta.image ?? "",
    button: "Buy & more",
  };
  const { sessionId } = await call("POST", `${path}/checkout-sessions`, z.object({ sessionId: z.string() }), {
    tierPriceId: tier.prices[0]?.id,
  });
  await call("POST", `/sandbox/checkout/${sessionId}/complete`, z.unknown(), {
    email: "ads@proof.example",
    name: "Proof",
  });
  const { id } = await call("POST", `/v1/checkout-sessions/${sessionId}/ad`, withId, {
    name: "<b>Proof</b>",
    websiteUrl: "https://proof.example",
    meta: fields.items.flatMap(({ id: fieldId, key }) =>
      Object.entries(values).flatMap(([name, value]) => (name === key ? [{ fieldId, value }] : [])),
    ),
  });
  const cardOn = async (page: Page) => {
    const card = page.locator("[part=ad]", { hasText: "Proof" });
    await card.locator("[part=image]").waitFor();
    return await card.evaluate((element) => element.outerHTML);
  };

  const buyer = await openPage(product.origin);
  await buyer.page.goto(`/advertise/${workspaceId}/checkout/${sessionId}`);
  const bought = await cardOn(buyer.page);
  const reviewer = await openAsDemo(product);
  await reviewer.page.goto(`/w/${workspaceId}/ads/${id}`);
  const reviewed = await cardOn(reviewer.page);
  await call("POST", `${path}/ads/${id}/approve`, withId);
  const visitor = await openPage(product.origin);
  // A page with this placement alone: others would show the ad too, by their own settings.
  const body = `<!doctype html><title>Proof</title>${embedTag(product.origin, workspaceId, { tierIds: [tier.id] })}`;
  await visitor.page.route("**/proof", (route) => route.fulfill({ contentType: "text/html", body }));
  const load = async () => {
    await visitor.page.goto("/proof", { waitUntil: "networkidle" });
    return await visitor.page.locator("[part=ad]", { hasText: "Proof" }).count();
  };
  await expect.poll(load, { interval: 500, timeout: 20_000 }).toBe(1);

  expect([bought, reviewed]).toEqual(Array(2).fill(await cardOn(visitor.page)));
  expect(bought).toContain("Buy &amp; more");
  expect(bought).toContain("&lt;b&gt;Proof");
});
