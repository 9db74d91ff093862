import { expect, it } from "vitest";
import { submittedAd } from "#libs/contract/checkout.ts";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier, chargingSettles } from "../../tests/story.ts";
import { findSaleOf } from "../image-copies/queries.ts";

const QUOTA = 12 * 1024 * 1024;
/** More than half of what one network may ask for. */
const FILE = 1_000_000;
const service = await startManagement({ behindProxy: true, uploadQuotaBytes: QUOTA });

type Checkout = Awaited<ReturnType<typeof aPaidCheckout>>;

/** A workspace that charges at the approval, and what opens a checkout at its price. */
async function aShop() {
  const publisher = await aPublisher(service);
  await publisher.caller.request("PATCH", `${publisher.path}/settings`, { chargeAt: "approval" });
  const { prices } = await aTier(publisher);
  return { publisher, buy: () => aPaidCheckout(service, publisher, prices[0]?.id ?? "") };
}

async function ask({ caller, path }: Checkout, network: string, contentLength = FILE): Promise<number> {
  const body = { fileName: "logo.png", contentType: "image/png", contentLength };
  return (await caller.request("POST", `${path}/uploads`, body, { "x-forwarded-for": network })).status;
}

it("counts files and copies of a checkout at a price as free until something was paid", async () => {
  const { publisher, buy } = await aShop();
  const [one, other] = [await buy(), await buy()];
  const creative = { name: "Example Coffee", websiteUrl: "https://coffee.example" };
  const { id } = await one.caller.ok(submittedAd, "POST", `${one.path}/ad`, creative);
  const saleOf = () => findSaleOf(service.database.db, { workspaceId: publisher.workspace.id, adId: id });

  const before = [await ask(one, "192.0.2.1"), await ask(other, "192.0.2.1")];
  const unpaid = await saleOf();
  await publisher.caller.request("POST", `${publisher.path}/ads/${id}/approve`);
  await chargingSettles(service);

  expect(before).toEqual([200, 429]);
  expect([unpaid, await saleOf()].map(({ isFree }) => isFree)).toEqual([true, false]);
  expect(await ask(one, "192.0.2.1", 500_000)).toBe(200);
  const rows = await service.database.db.selectFrom("uploads").select("is_free").orderBy("bytes").execute();
  expect(rows.map(({ is_free }) => is_free)).toEqual([false, true]);
});

it("leaves a fifth to who has paid, and takes files out of the free ones once they are paid for", async () => {
  const { publisher, buy } = await aShop();
  const statuses: number[] = [];
  for (let network = 1; network <= 8; network += 1)
    statuses.push(await ask(await buy(), `192.0.2.${network}`));

  await service.database.db
    .updateTable("subscriptions")
    .set({ paid_amount: 4900 })
    .where("workspace_id", "=", publisher.workspace.id)
    .execute();

  expect(statuses).toEqual([...Array<number>(7).fill(200), 409]);
  expect(await ask(await buy(), "198.51.100.9")).toBe(200);
});
