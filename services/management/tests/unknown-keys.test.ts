import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { invoice } from "#libs/contract/invoices.ts";
import { pageOf } from "#libs/contract/query.ts";
import { billed, invoiceOf } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { soundBodies } from "./sound-bodies.ts";
import { anApprovedAd, aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const ad = await anApprovedAd(service, publisher);
await billed(service, publisher.workspace.id, 1);
const paid = `${publisher.path}/invoices/${await invoiceOf(service, ad.subscription.advertiser.id)}`;
const bodies = soundBodies({ priceId: ad.tier.prices[0]?.id ?? "" });
const taking = listEndpoints(managementContract).filter(({ method }) => method !== "GET");

it.each(["ammount", "Amount"])("refunds nothing where the amount is written %s", async (misspelt) => {
  const { data } = await publisher.caller.refused(422, "POST", `${paid}/refunds`, { [misspelt]: 100 });

  expect(data).toMatchObject({
    reason: "UNKNOWN_KEY",
    fieldErrors: { [misspelt]: ["Unknown key. Known here: `amount`, `reason`, `note`."] },
  });
  const { items } = await publisher.caller.ok(pageOf(invoice), "GET", `${publisher.path}/invoices`);
  expect(items.map(({ amountRefunded }) => amountRefunded)).toEqual([0]);
});

it.each(taking)("$name refuses a key that it does not have, beside those that it has", async (endpoint) => {
  const { name, method, path } = endpoint;
  const ids: Record<string, string> = {
    workspaceId: publisher.workspace.id,
    sessionId: ad.checkout.sessionId,
  };
  const to = `/v1${path.replace(/\{(\w+)\}/g, (_all, id: string) => ids[id] ?? "nothing")}`;

  const { data } = await publisher.person.caller.refused(422, method, to, { ...bodies[name], unheardOf: 1 });

  expect([data?.reason, Object.keys(data?.fieldErrors ?? {})]).toEqual(["UNKNOWN_KEY", ["unheardOf"]]);
});

it("names an unknown key inside a list and an object by its dotted path", async () => {
  expect(
    await publisher.caller.invalid("POST", `${publisher.path}/tiers`, {
      ...bodies["tiers.create"],
      initialPrices: [{ amount: 4900, intervalCount: 1, curency: "usd" }],
    }),
  ).toEqual(["initialPrices.0.curency"]);
});
