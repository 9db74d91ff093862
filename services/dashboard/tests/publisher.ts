import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";

export const PASSWORD = "correct horse battery";

const WITH_ID = z.object({ id: z.string() });
const TIER = z.object({ prices: z.tuple([WITH_ID], WITH_ID) });
const CHECKOUT = z.object({ sessionId: z.string() });
const AD = z.object({ id: z.string(), subscription: z.object({ advertiser: WITH_ID }) });

/** Posts to the API with the page's session; returns the id in the answer. */
export async function call(page: Page, path: string, data: object = {}): Promise<string> {
  return (await post(page, path, data, WITH_ID)).id;
}

/** Signs up and makes a workspace; returns its id. */
export async function ownWorkspace(page: Page, name: string): Promise<string> {
  const email = `${crypto.randomUUID()}@example.com`;
  await page.request.post("/api/auth/sign-up/email", { data: { name: "Ada", email, password: PASSWORD } });
  return await call(page, "/v1/workspaces", { name });
}

/** Makes a tier with a price per month; returns the price's id. */
export async function priceOnSale(
  page: Page,
  workspaceId: string,
  price: { readonly amount: number; readonly currency: string },
): Promise<string> {
  const initialPrices = [{ ...price, interval: "Month", intervalCount: 1 }];
  const tier = { name: "Gold", weight: 1, initialPrices };
  return (await post(page, `/v1/workspaces/${workspaceId}/tiers`, tier, TIER)).prices[0].id;
}

/** Buys a price as Quagga Coffee with one of the sandbox's cards; returns the id of the checkout session. */
export async function buy(
  page: Page,
  workspaceId: string,
  tierPriceId: string,
  card = "4242",
): Promise<string> {
  const { sessionId } = await post(
    page,
    `/v1/workspaces/${workspaceId}/checkout-sessions`,
    { tierPriceId },
    CHECKOUT,
  );
  const buyer = { email: "quagga@example.com", name: "Quagga Coffee", card };
  expect((await page.request.post(`/sandbox/checkout/${sessionId}/complete`, { data: buyer })).ok()).toBe(
    true,
  );
  await page.request.get(`/v1/checkout-sessions/${sessionId}`);
  return sessionId;
}

/** An ad of Quagga Coffee, or of another name, that was bought for 49 of the currency and waits for review. */
export async function aSoldAd(page: Page, workspaceId: string, currency: string, name = "Quagga Coffee") {
  const sessionId = await buy(
    page,
    workspaceId,
    await priceOnSale(page, workspaceId, { amount: 4900, currency }),
  );
  const creative = { name, websiteUrl: "https://quagga.example" };
  const adId = await call(page, `/v1/checkout-sessions/${sessionId}/ad`, creative);
  const ad = AD.parse(await (await page.request.get(`/v1/workspaces/${workspaceId}/ads/${adId}`)).json());
  return { adId, advertiserId: ad.subscription.advertiser.id };
}

async function post<Shape extends z.ZodType>(
  page: Page,
  path: string,
  data: object,
  shape: Shape,
): Promise<z.output<Shape>> {
  const answer = await page.request.post(path, { data });
  expect(answer.status(), path).toBe(200);
  return shape.parse(await answer.json());
}
