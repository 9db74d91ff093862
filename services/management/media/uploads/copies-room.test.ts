import { expect, it } from "vitest";
import { LEAST_COUNTED } from "#libs/domain/upload-room.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { storeOwnFile } from "./records.ts";

const QUOTA = 12 * 1024 * 1024;
/** Less than a twelfth of the quota, more than half an eighth. */
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
  const buy = ({ prices }: typeof gold) => aPaidCheckout(service, publisher, prices[0]?.id ?? "");
  const { id: workspaceId } = publisher.workspace;
  let copies = 0;
  /** Whether an image elsewhere, which no other copy is of, is copied for a checkout. */
  const copy = async ({ sessionId }: Checkout, isFree: boolean, length = FILE) => {
    copies += 1;
    const file = { workspaceId, contentType: "image/png", bytes: Buffer.alloc(length, copies) } as const;
    return (await storeOwnFile(service.services, file, { isFree, sessionId })) !== null;
  };
  return { takeFree: () => buy(free), pay: () => buy(gold), copy };
}

/** Asks for a grant from a network; the status of the answer. */
async function ask({ caller, path }: Checkout, network = "198.51.100.9", contentLength = FILE) {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  const headers = { "x-forwarded-for": network };
  return (await caller.request("POST", `${path}/uploads`, body, headers)).status;
}

it("leaves room for the free uploads of a fifth network, and for ads at a price, beside four that take all they get, and all copies", async () => {
  const { takeFree, pay, copy } = await aShop();
  const copies: boolean[] = [];
  for (const length of [FILE, FILE, FILE, FILE / 2]) copies.push(await copy(await takeFree(), true, length));
  const lengths = [FILE, FILE / 2, LEAST_COUNTED, LEAST_COUNTED];
  for (const network of ["2001:db8::1", "192.0.2.1", "192.0.2.2", "192.0.2.3"]) {
    const checkout = await takeFree();
    for (const length of lengths) await ask(checkout, network, length);
  }

  const uploaded = [await ask(await takeFree(), "192.0.2.4", FILE / 2), await ask(await pay())];
  const copied = await copy(await pay(), false);

  expect(uploaded).toEqual([200, 200]);
  expect(copies).toEqual([true, true, false, true]);
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
