import { expect, it } from "vitest";
import { z } from "zod";
import { pageOf } from "#libs/contract/query.ts";
import { newId } from "#libs/domain/ids.ts";
import { startManagement } from "./management.ts";
import { aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true });

const anyPage = pageOf(z.looseObject({ id: z.string() }));

/** Puts rows into the table, one after the other, as fast as the database takes them. */
async function insertUntil(isDone: () => boolean, table: "tiers" | "fields", workspaceId: string) {
  const values = { workspace_id: workspaceId, name: "Made meanwhile", order: 0 };
  for (let count = 0; !isDone(); count += 1) {
    const { db } = service.database;
    await (table === "tiers"
      ? db.insertInto("tiers").values({ ...values, id: newId("tier"), weight: 1, features: "[]" })
      : db
          .insertInto("fields")
          .values({ ...values, id: newId("field"), key: `f${count}`, type: "Url", options: "[]" })
    ).execute();
  }
}

it.each(["tiers", "fields"] as const)(
  "keeps total and items of %s in agreement while more are made",
  async (table) => {
    const { caller, path, workspace } = await aPublisher(service);
    let isDone = false;
    const inserting = insertUntil(() => isDone, table, workspace.id);

    const pages: z.infer<typeof anyPage>[] = [];
    for (let count = 0; count < 60; count += 1) {
      pages.push(await caller.ok(anyPage, "GET", `${path}/${table}?perPage=100&page=9999`));
    }
    isDone = true;
    await inserting;

    expect(new Set(pages.map(({ total }) => total)).size).toBeGreaterThan(20);
    for (const { total, page, items } of pages) expect((page - 1) * 100 + items.length).toBe(total);
  },
);

it("passes over nothing and repeats nothing while tiers are made behind the pages", async () => {
  const publisher = await aPublisher(service);
  const { caller, path } = publisher;
  const early: string[] = [];
  for (let count = 0; count < 20; count += 1) early.push((await aTier(publisher)).id);

  const seen: string[] = [];
  for (let page = 1; page <= 4; page += 1) {
    const [{ items }] = await Promise.all([
      caller.ok(anyPage, "GET", `${path}/tiers?perPage=5&page=${page}`),
      aTier(publisher),
      aTier(publisher),
    ]);
    seen.push(...items.map(({ id }) => id));
  }

  expect(seen).toEqual(early);
});
