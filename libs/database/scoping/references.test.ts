import { type Kysely, sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { forWorkspace } from "../for-workspace.ts";
import type { Tables } from "../tables.ts";
import { createTestDatabase } from "../testing.ts";
import { REFERENCES } from "./references.ts";

const { db, pool } = await createTestDatabase();
const ours = forWorkspace(db, "ws_ours");

beforeEach(async () => {
  await pool.query(`
    truncate workspaces cascade;
    insert into workspaces (id, name, slug, currency) values ('ws_ours', 'Ours', 'ours', 'usd'), ('ws_theirs', 'Theirs', 'theirs', 'usd');
    insert into tiers (id, workspace_id, name, weight, "order") values
      ('tier_ours', 'ws_ours', 'Our tier', 1, 0), ('tier_theirs', 'ws_theirs', 'Their tier', 1, 0);
    insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency) values
      ('price_ours', 'ws_ours', 'tier_ours', 'Month', 1, 100, 'usd');
  `);
});

it("trusts a join where a foreign key says that both rows are of one workspace, and no other", async () => {
  const byReference = ours
    .selectFrom("prices")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .select("prices.id");
  const byAlias = ours
    .selectFrom("prices as p")
    .leftJoin("tiers as t", (join) => join.onRef("p.tier_id", "=", "t.id").on("t.name", "!=", ""))
    .select("p.id");
  const backwards = ours
    .selectFrom("tiers")
    .innerJoin("prices", "prices.tier_id", "tiers.id")
    .select("prices.id");
  const otherColumn = ours
    .selectFrom("prices")
    .innerJoin("tiers", "tiers.id", "prices.id")
    .select("prices.id");
  const otherTable = ours
    .selectFrom("prices")
    .innerJoin("fields", "fields.id", "prices.tier_id")
    .select("prices.id");
  const shadowed = ours
    .with("p", (from) => from.selectFrom("prices").selectAll())
    .selectFrom("p as prices")
    .innerJoin("tiers", "tiers.id", "prices.tier_id")
    .select("prices.id");

  const conditions = [byReference, byAlias, backwards, otherColumn, otherTable, shadowed].map(
    (query) => query.compile().sql.match(/"workspace_id" = /g)?.length,
  );

  expect(conditions).toEqual([1, 1, 2, 2, 2, 2]);
  expect(await byReference.execute()).toEqual([{ id: "price_ours" }]);
  expect(await byAlias.execute()).toEqual([{ id: "price_ours" }]);
});

it.each<[string, (handle: Kysely<Tables>) => Promise<unknown[]>]>([
  [
    "another part of its condition is written by hand",
    (handle) =>
      handle
        .selectFrom("prices as p")
        .innerJoin("tiers as t", (join) =>
          join.onRef("t.id", "=", "p.tier_id").on(sql<boolean>`true or true`),
        )
        .select("t.id")
        .execute(),
  ],
  [
    "a value that is written by hand comes before it",
    (handle) =>
      handle
        .selectFrom("prices as p")
        .innerJoin("tiers as t", (join) =>
          join.on("t.name", "=", sql<string>`'' or true or true`).onRef("t.id", "=", "p.tier_id"),
        )
        .select("t.id")
        .execute(),
  ],
  [
    "the name means a query outside, and a table beside it",
    (handle) =>
      handle
        .selectFrom(handle.selectNoFrom(sql<string>`'tier_theirs'`.as("tier_id")).as("p"))
        .innerJoinLateral(
          (from) =>
            from
              .selectFrom(["prices as p", "tiers as x"])
              .innerJoin("tiers as t", "t.id", "p.tier_id")
              .select("t.id")
              .as("found"),
          (join) => join.onTrue(),
        )
        .select("found.id")
        .execute(),
  ],
  [
    "the name means a query outside, and a later join",
    (handle) =>
      handle
        .selectFrom(handle.selectNoFrom(sql<string>`'tier_theirs'`.as("tier_id")).as("p"))
        .innerJoinLateral(
          (from) =>
            from
              .selectFrom("tiers as x")
              .innerJoin("tiers as t", "t.id", "p.tier_id")
              .innerJoin("prices as p", "p.tier_id", "x.id")
              .select("t.id")
              .as("found"),
          (join) => join.onTrue(),
        )
        .select("found.id")
        .execute(),
  ],
])("finds nothing of theirs by a join along a reference where %s", async (_where, find) => {
  const found = await find(ours);

  expect(found).not.toContainEqual({ id: "tier_theirs" });
});

it("knows as references what the schema has a foreign key of the workspace for", async () => {
  const { rows } = await pool.query<{ reference: string; named: string }>(
    `select conrelid::regclass || '.' || c.attname as reference, confrelid::regclass::text as named
     from pg_constraint k
       join pg_attribute o on o.attrelid = conrelid and o.attnum = conkey[1] and o.attname = 'workspace_id'
       join pg_attribute c on c.attrelid = conrelid and c.attnum = conkey[2]
       join pg_attribute t on t.attrelid = confrelid and t.attnum = confkey[1] and t.attname = 'workspace_id'
       join pg_attribute i on i.attrelid = confrelid and i.attnum = confkey[2] and i.attname = 'id'
     where contype = 'f' and convalidated and cardinality(conkey) = 2`,
  );

  expect(Object.fromEntries(rows.map(({ reference, named }) => [reference, named]))).toEqual(REFERENCES);
});
