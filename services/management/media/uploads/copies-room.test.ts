import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aField, aPaidCheckout, aPublisher, aTier } from "../../tests/story.ts";
import { storeOwnFile } from "./records.ts";

const QUOTA = 12 * 1024 * 1024;
/** Less than an eighth of the quota, more than half of one. */
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
  return { publisher, takeFree: () => buy(free), pay: () => buy(gold), copy };
}

/** Asks for a grant from a network; the status of the answer. */
async function ask({ caller, path }: Checkout, network = "198.51.100.9", contentLength = FILE) {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  const headers = { "x-forwarded-for": network };
  return (await caller.request("POST", `${path}/uploads`, body, headers)).status;
}

it("counts the images elsewhere of a free ad to the network that submits them, as the largest, and none of an ad that is paid", async () => {
  const { publisher, takeFree, pay } = await aShop();
  const logo = await aField(publisher, { name: "Logo", type: "Image" });
  const submit = async ({ caller, path }: Checkout, network: string) => {
    const values = [{ fieldId: logo.id, value: `https://images.example.com/${crypto.randomUUID()}.png` }];
    const body = { name: "Example Coffee", websiteUrl: "https://coffee.example.com", meta: values };
    return (await caller.request("POST", `${path}/ad`, body, { "x-forwarded-for": network })).status;
  };

  const first = await submit(await takeFree(), "192.0.2.1");
  // The share of a network is the largest file here.
  const again = [await submit(await takeFree(), "192.0.2.1"), await ask(await takeFree(), "192.0.2.1")];
  const other = await submit(await takeFree(), "192.0.2.2");
  const paid = [await submit(await pay(), "192.0.2.1"), await submit(await pay(), "192.0.2.1")];

  expect([first, ...again, other, ...paid]).toEqual([200, 429, 429, 200, 200, 200]);
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
