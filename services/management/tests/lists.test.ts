import { expect, it } from "vitest";
import { z } from "zod";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { pageOf } from "#libs/contract/query.ts";
import { anInvitation } from "./joining.ts";
import { billed } from "./ledger-story.ts";
import { startManagement } from "./management.ts";
import { aField, anApprovedAd, aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const full = await aPublisher(service);
const empty = await aPublisher(service, "Empty Weekly");
/** Some lists say more than their rows. */
const page = pageOf(z.unknown()).extend({
  unpaid: z.tuple([]).optional(),
  ads: z.int().optional(),
  revisions: z.int().optional(),
});

/** Every endpoint of the contract that answers in pages. */
const lists = listEndpoints(managementContract).filter(({ isList }) => isList);

for (let n = 0; n < 3; n += 1) {
  await aTier(full);
  await aField(full, { key: `key_${n}` });
  const { checkout } = await anApprovedAd(service, full);
  await checkout.caller.request("POST", `${checkout.path}/ad`, {
    name: "Example Roasters",
    websiteUrl: "https://roasters.example",
  });
  await anInvitation(service, full, `colleague-${n}@example.com`, "Viewer");
}
await billed(service, full.workspace.id, 3);
const invoices = page.extend({ items: z.array(z.looseObject({ id: z.string() })) });
for (const { id } of (await full.caller.ok(invoices, "GET", `${full.path}/invoices`)).items) {
  await full.caller.request("POST", `${full.path}/invoices/${id}/refunds`, { amount: 100 });
}

const pathOf = (path: string, of: typeof full) => `/v1${path.replace("{workspaceId}", of.workspace.id)}`;
const read = async (path: string, query = "", of = full) =>
  await of.person.caller.ok(page, "GET", `${pathOf(path, of)}${query}`);

it("knows the lists", () => {
  expect(lists.map(({ name }) => name).toSorted()).toEqual([
    "ads.list",
    "ads.toReview",
    "advertisers.list",
    "audit.list",
    "fields.list",
    "invitations.list",
    "invoices.list",
    "invoices.refunds",
    "members.list",
    "revisions.list",
    "subscriptions.list",
    "tiers.list",
  ]);
});

it.each(lists)("$name has 25 rows a page unless 1 to 100 are asked for", async ({ path }) => {
  expect((await read(path)).perPage).toBe(25);
  expect((await read(path, "?perPage=100")).perPage).toBe(100);
  const { items, perPage } = await read(path, "?perPage=1");

  expect([items.length, perPage]).toEqual([1, 1]);
  for (const wrong of ["0", "101", "-1", "1.5", "1e1", "abc", "", "%00"]) {
    expect(await full.person.caller.invalid("GET", `${pathOf(path, full)}?perPage=${wrong}`), wrong).toEqual([
      "perPage",
    ]);
  }
});

it.each(lists)("$name refuses a page that is none, and clamps one over the last", async ({ path }) => {
  const last = await read(path, `?perPage=1&page=${Number.MAX_SAFE_INTEGER}`);

  expect(last.page).toBe(last.pageCount);
  expect(last.pageCount).toBe(last.total);
  expect(last.items).toHaveLength(1);
  for (const wrong of ["0", "-1", "1.5", "1e1", "abc", "", "9007199254740992"]) {
    expect(await full.person.caller.invalid("GET", `${pathOf(path, full)}?page=${wrong}`), wrong).toEqual([
      "page",
    ]);
  }
});

it.each(lists)("$name has every row on one page, in one order", async ({ path }) => {
  const whole = await read(path, "?perPage=100");

  const rows: unknown[] = [];
  for (let n = 1; n <= whole.total; n += 1) rows.push(...(await read(path, `?perPage=1&page=${n}`)).items);

  expect(rows).toEqual(whole.items);
});

it.each(lists.filter(({ name }) => name !== "members.list" && name !== "audit.list"))(
  "$name has one page where there is nothing",
  async ({ path }) => {
    const nothing = { items: [], total: 0, page: 1, perPage: 25, pageCount: 1, nextCursor: null };

    expect(await read(path, "", empty)).toMatchObject(nothing);
    expect(await read(path, "?page=7", empty)).toMatchObject(nothing);
  },
);

it.each(["/v1/workspaces", "/v1/workspaces/{workspaceId}/api-keys"])(
  "answers %s whole, as its only page",
  async (path) => {
    const { items, ...envelope } = await read(`${path.slice("/v1".length)}`);

    expect(items.length).toBeGreaterThan(0);
    expect(envelope).toEqual({
      total: items.length,
      page: 1,
      perPage: items.length,
      pageCount: 1,
      nextCursor: null,
    });
  },
);
