import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";

const QUOTA = 12 * 1024 * 1024;
/** Less than a twelfth of the quota, more than half of that. */
const FILE = 1_000_000;
const service = await startManagement({ behindProxy: true, uploadQuotaBytes: QUOTA });

type Checkout = Awaited<ReturnType<typeof aPaidCheckout>>;

async function aShop() {
  const publisher = await aPublisher(service);
  const free = await aTier(publisher, {
    name: "Free",
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const gold = await aTier(publisher);
  const buy = async ({ prices }: typeof free) => aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  return { takeFree: () => buy(free), pay: () => buy(gold) };
}

/** Asks for a grant from a network; the status of the answer. */
async function ask({ caller, path }: Checkout, network: string, contentLength = FILE): Promise<number> {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  const headers = { "x-forwarded-for": network };
  return (await caller.request("POST", `${path}/uploads`, body, headers)).status;
}

it("leaves a fifth of the quota to who pays, however many free checkouts ask from however many networks", async () => {
  const shop = await aShop();
  const statuses: number[] = [];
  for (let network = 1; network <= 10; network += 1) {
    statuses.push(await ask(await shop.takeFree(), `192.0.2.${network}`));
  }

  const paying = await ask(await shop.pay(), "192.0.2.1");

  expect(statuses).toEqual([...Array<number>(7).fill(200), 409, 409, 409]);
  expect(paying).toBe(200);
});

it("gives all free checkouts of one network, or IPv6 /48, a twelfth of the quota, and those of others theirs", async () => {
  const shop = await aShop();
  const [one, another] = [await shop.takeFree(), await shop.takeFree()];

  const statuses = [
    await ask(one, "2001:db8:1:1::1"),
    await ask(another, "2001:db8:1:2::1"),
    await ask(another, "2001:db8:2:1::1"),
  ];

  expect(statuses).toEqual([200, 429, 200]);
});

it("takes nothing of a network's share for a file that is too large for any", async () => {
  const shop = await aShop();
  const checkout = await shop.takeFree();

  const statuses = [await ask(checkout, "192.0.2.77", 135_000_000), await ask(checkout, "192.0.2.77")];

  expect(statuses).toEqual([422, 200]);
});
