import { expect, it } from "vitest";
import { z } from "zod";
import { pageOf } from "#libs/contract/query.ts";
import { droppedEmails } from "#libs/contract/settings.ts";
import { remindOfMissingAds } from "../billing/letters/purchases.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier, type Publisher } from "../tests/story.ts";
import { subjectsTo } from "./tests/sent-mails.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Letters to the buyers of free purchases from one network. */
const SHARE = 50;
let passed = 0;
const service = await startManagement({ behindProxy: true, now: () => Date.now() + passed });

async function priceOf(publisher: Publisher, amount: number): Promise<string> {
  const initialPrices = [{ amount, intervalCount: 1, currency: "usd" }];
  const { prices } = await aTier(publisher, { initialPrices });
  return prices[0]?.id ?? "";
}

/** Buys from an address; the buyer's email address and the subscription. */
async function buy(publisher: Publisher, tierPriceId: string, address: string) {
  const caller = new ApiCaller(service.origin, { "x-forwarded-for": address });
  const email = `buyer-${crypto.randomUUID()}@example.com`;
  const session = z.object({ url: z.string(), sessionId: z.string() });
  const path = `${publisher.path}/checkout-sessions`;
  const { sessionId } = await caller.ok(session, "POST", path, { tierPriceId });
  const completed = `/sandbox/checkout/${sessionId}/complete`;
  expect((await caller.request("POST", completed, { email, name: "Buyer" })).status).toBe(200);
  return email;
}

it("writes unasked to 50 a day who buy for free from one network of all that a person owns, and to all of others and who pay", async () => {
  const egret = await aPublisher(service, "Egret Daily");
  const free = await priceOf(egret, 0);
  // Of one /48, which is one customer's.
  for (let n = 0; n < SHARE; n += 1) await buy(egret, free, `2001:db8:1:${n}::1`);

  const over = await buy(egret, free, "2001:db8:1:ffff::1");
  const elsewhere = await buy(egret, free, "2001:db8:2::1");
  const paying = await buy(egret, await priceOf(egret, 4900), "2001:db8:1:ffff::1");
  const purchased = await Promise.all([over, elsewhere, paying].map((email) => subjectsTo(service, email)));
  passed = 4 * DAY_MS;
  await remindOfMissingAds(service.services);
  const reminded = await Promise.all([over, elsewhere, paying].map((email) => subjectsTo(service, email)));

  expect(purchased.map(({ length }) => length)).toEqual([0, 1, 1]);
  expect(reminded.map(({ length }) => length)).toEqual([0, 2, 2]);
  const dropped = await egret.person.caller.ok(pageOf(droppedEmails), "GET", `${egret.path}/dropped-emails`);
  expect(dropped.items).toMatchObject([
    { recipient: "advertiser", kind: "missing-ad", reason: "limit", emails: 1 },
    { recipient: "advertiser", kind: "purchase", reason: "limit", emails: 1 },
  ]);
});
