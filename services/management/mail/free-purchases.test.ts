import { expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { pageOf } from "#libs/contract/query.ts";
import { droppedEmails } from "#libs/contract/settings.ts";
import { remindOfMissingAds } from "../billing/letters/purchases.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier, type Publisher } from "../tests/story.ts";
import { mailsTo, subjectsTo } from "./tests/sent-mails.ts";

const DAY_MS = 24 * 60 * 60_000;
/** Letters to the buyers of free purchases from one network. */
const SHARE = 50;
const WITHIN = { timeout: 30_000 };
let passed = 0;
const service = await startManagement({ behindProxy: true, now: () => Date.now() + passed });

async function priceOf(publisher: Publisher, amount: number): Promise<string> {
  const initialPrices = [{ amount, intervalCount: 1, currency: "usd" }];
  const { prices } = await aTier(publisher, { initialPrices });
  return prices[0]?.id ?? "";
}

async function threeDaysPass(): Promise<void> {
  passed += 3 * DAY_MS + 60_000;
  await remindOfMissingAds(service.services);
}

/** Buys from an address; the buyer's email address. */
async function buy(
  publisher: Publisher,
  tierPriceId: string,
  address: string,
  email = `buyer-${crypto.randomUUID()}@example.com`,
) {
  const caller = new ApiCaller(service.origin, { "x-forwarded-for": address });
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
  // One customer has all addresses of a /48.
  for (let n = 0; n < SHARE; n += 1) await buy(egret, free, `2001:db8:1:${n}::1`);

  const over = await buy(egret, free, "2001:db8:1:ffff::1");
  const elsewhere = await buy(egret, free, "2001:db8:2::1");
  const paying = await buy(egret, await priceOf(egret, 4900), "2001:db8:1:ffff::1");
  // Who pays gets letters about what is free, too.
  await buy(egret, free, "2001:db8:1:ffff::1", paying);
  const lettersOf = async () =>
    (await Promise.all([over, elsewhere, paying].map((email) => subjectsTo(service, email)))).map(
      ({ length }) => length,
    );
  const droppedOf = async () => {
    const path = `${egret.path}/dropped-emails`;
    const { items } = await egret.person.caller.ok(pageOf(droppedEmails), "GET", path);
    return items.map(({ kind, emails }) => [kind, emails]);
  };

  await expect.poll(lettersOf, WITHIN).toEqual([0, 1, 2]);
  await expect.poll(droppedOf, WITHIN).toEqual([["purchase", 1]]);
  await threeDaysPass();

  await expect.poll(lettersOf, WITHIN).toEqual([0, 2, 4]);
  const both = [
    ["missing-ad", 1],
    ["purchase", 1],
  ];
  await expect.poll(droppedOf, WITHIN).toEqual(both);
});

it("tells the publisher whether the buyer without an ad was reminded", async () => {
  const heron = await aPublisher(service, "Heron Daily");
  const free = await priceOf(heron, 0);
  const [reminded, withheld] = [
    await buy(heron, free, "2001:db8:3::1"),
    await buy(heron, free, "2001:db8:4::1"),
  ];
  await expect.poll(() => subjectsTo(service, reminded), WITHIN).toHaveLength(1);
  await expect.poll(() => subjectsTo(service, withheld), WITHIN).toHaveLength(1);
  await service.database.pool.query(
    `update checkout_sessions set letters_withheld = true from subscriptions s join advertisers a on a.id = s.advertiser_id
     where s.id = subscription_id and a.email = $1`,
    [withheld],
  );

  await threeDaysPass();

  await expect
    .poll(async () => {
      const texts = (await mailsTo(service, heron.person.email)).map(({ text }) => text);
      return ["We've just reminded them.", "We couldn't remind them by email."].map(
        (words) => texts.filter((text) => text.includes(words)).length,
      );
    }, WITHIN)
    .toEqual([1, 1]);
});

it("counts those who are to pay later among who buys for free, with limits of their own, until they have paid", async () => {
  const stork = await aPublisher(service, "Stork Daily");
  await stork.caller.request("PATCH", `${stork.path}/settings`, { chargeAt: "approval" });
  const { limits } = service.services;
  const consume = limits.consume.bind(limits);
  const counted = vi.spyOn(limits, "consume").mockImplementation(async (rule, key) => ({
    ...(await consume(rule, key)),
    allowed: rule.name !== "mail-free-network",
  }));
  onTestFinished(() => counted.mockRestore());
  const price = await priceOf(stork, 4900);

  const withheld = await buy(stork, price, "2001:db8:5::1");
  counted.mockImplementation(consume);
  const written = await buy(stork, price, "2001:db8:6::1");

  await expect.poll(() => subjectsTo(service, written), WITHIN).toHaveLength(1);
  expect(await subjectsTo(service, withheld)).toEqual([]);
  const names = counted.mock.calls.map(([{ name }]) => name);
  expect(names).toContain("mail-unpaid-purchase");
  expect(names).not.toContain("mail-free-purchase");
});
