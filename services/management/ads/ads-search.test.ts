import { expect, it } from "vitest";
import { ad, listedAd } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "../tests/management.ts";
import { aPaidCheckout, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const { caller, path } = publisher;
const neighbour = await aPublisher(service, "Another Weekly");
const gold = await aTier(publisher, { name: "Gold", weight: 3 });
const bronze = await aTier(publisher, { name: "Bronze", weight: 1 });

async function anAd(name: string, websiteUrl: string, tier: typeof gold, email: string) {
  const checkout = await aPaidCheckout(service, publisher, tier.prices[0]?.id ?? "", email);
  const made = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, { name, websiteUrl });
  return { ...made, checkout, path: `${path}/ads/${made.id}` };
}

const beans = await anAd("Fresh beans", "https://coffee.example", bronze, "ada@coffee.example");
await anAd("100% filters", "https://paper.example/filters", gold, "grace@paper.example");
await anAd("another_bean", "https://coffee.example/2", gold, "ada@coffee.example");
const { subscription } = await caller.ok(ad, "POST", `${beans.path}/approve`);

async function find(search: string): Promise<string[]> {
  const { items, total } = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?${search}`);
  expect(items).toHaveLength(total);
  return items.map(({ name }) => name);
}

const [BEANS, FILTERS, AGAIN] = ["Fresh beans", "100% filters", "another_bean"];

it.each([
  ["query=BEAN", [AGAIN, BEANS]],
  ["query=paper.example", [FILTERS]],
  ["query=grace%40", [FILTERS]],
  ["query=example%20coffee", [AGAIN, FILTERS, BEANS]],
  ["query=%25", [FILTERS]],
  ["query=_", [AGAIN]],
  ["query=%5C", []],
  ["query=%20", [AGAIN, FILTERS, BEANS]],
  [`tierId=${gold.id}`, [AGAIN, FILTERS]],
  [`tierId=${newId("tier")}`, []],
  ["tierId=nothing", []],
  [`advertiserId=${subscription.advertiser.id}`, [AGAIN, BEANS]],
  ["advertiserId=nothing", []],
  ["serving=yes", [BEANS]],
  ["serving=no", [AGAIN, FILTERS]],
  ["serving=no&status=Approved", []],
  ["sort=newest", [AGAIN, FILTERS, BEANS]],
  ["sort=oldest", [BEANS, FILTERS, AGAIN]],
  ["sort=name", [FILTERS, AGAIN, BEANS]],
  ["sort=tier", [AGAIN, FILTERS, BEANS]],
  [`query=bean&tierId=${gold.id}&serving=no&status=Pending&sort=oldest`, [AGAIN]],
])("lists the ads of ?%s", async (search, names) => {
  expect(await find(search)).toEqual(names);
});

it("cuts what it finds into pages, and clamps a page over the last", async () => {
  const second = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?sort=name&perPage=2&page=2`);
  const over = await caller.ok(pageOf(listedAd), "GET", `${path}/ads?query=bean&perPage=1&page=9`);

  expect(second).toMatchObject({ total: 3, page: 2, pageCount: 2, items: [{ name: BEANS }] });
  expect(over).toMatchObject({ total: 2, page: 2, pageCount: 2, items: [{ name: BEANS }] });
});

it("finds none of another workspace's, and refuses what makes no sense", async () => {
  const empty = await neighbour.caller.ok(pageOf(listedAd), "GET", `${neighbour.path}/ads?query=bean`);

  expect(empty.items).toEqual([]);
  for (const wrong of [
    "status=Open",
    "serving=maybe",
    "sort=weight",
    `query=${"x".repeat(255)}`,
    "query=%00",
  ]) {
    expect(await caller.invalid("GET", `${path}/ads?${wrong}`)).toEqual([wrong.split("=")[0]]);
  }
});
