import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { storeOwnFile } from "./records.ts";

const QUOTA = 12 * 1024 * 1024;
/** Less than an eighth of the quota, more than half of that. */
const FILE = 1_000_000;
const service = await startManagement({ uploadQuotaBytes: QUOTA });

type Checkout = Awaited<ReturnType<typeof aPaidCheckout>>;

async function aShop() {
  const publisher = await aPublisher(service);
  const free = await aTier(publisher, {
    name: "Free",
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const gold = await aTier(publisher);
  const buy = ({ prices }: typeof gold) => aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const { id: workspaceId } = publisher.workspace;
  let copies = 0;
  /** Whether an image elsewhere, which no other copy is of, is copied for a checkout. */
  const copy = async ({ sessionId }: Checkout, isFree: boolean) => {
    copies += 1;
    const file = { workspaceId, contentType: "image/png", bytes: Buffer.alloc(FILE, copies) } as const;
    return (await storeOwnFile(service.services, file, { isFree, sessionId })) !== null;
  };
  return { takeFree: () => buy(free), pay: () => buy(gold), copy };
}

/** Asks for a grant; the status of the answer. */
async function ask({ caller, path }: Checkout): Promise<number> {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength: FILE };
  return (await caller.request("POST", `${path}/uploads`, body)).status;
}

it("leaves room for uploads of free checkouts, and for ads at a price, beside the copies for any number of free ads", async () => {
  const { takeFree, pay, copy } = await aShop();
  const copies: boolean[] = [];
  for (let n = 1; n <= 7; n += 1) copies.push(await copy(await takeFree(), true));

  const uploaded = [await ask(await takeFree()), await ask(await pay())];
  const copied = await copy(await pay(), false);

  expect(copies).toEqual([true, true, true, true, true, false, false]);
  expect(uploaded).toEqual([200, 200]);
  expect(copied).toBe(true);
});

it.each([true, false])(
  "keeps the copies that an ad does not use within an eighth, as its uploads (free: %s)",
  async (isFree) => {
    const { takeFree, pay, copy } = await aShop();
    const checkout = await (isFree ? takeFree() : pay());

    const copies = [await copy(checkout, isFree), await copy(checkout, isFree), await copy(checkout, isFree)];

    expect(copies).toEqual([true, false, false]);
    expect([await ask(await takeFree()), await ask(await pay())]).toEqual([200, 200]);
  },
);
