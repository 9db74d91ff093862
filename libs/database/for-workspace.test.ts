import { type Kysely, sql } from "kysely";
import { beforeEach, expect, it } from "vitest";
import { forWorkspace } from "./for-workspace.ts";
import { type PlaceOf, statement } from "./statement.ts";
import type { Tables } from "./tables.ts";
import { createTestDatabase } from "./testing.ts";

const { db, pool } = await createTestDatabase();
const ours = forWorkspace(db, "ws_ours");

beforeEach(async () => {
  await pool.query(`
    truncate workspaces cascade;
    insert into workspaces (id, name, slug, currency) values ('ws_ours', 'Ours', 'ours', 'usd'), ('ws_theirs', 'Theirs', 'theirs', 'usd');
    insert into tiers (id, workspace_id, name, weight, "order") values
      ('tier_ours', 'ws_ours', 'Our tier', 1, 0), ('tier_theirs', 'ws_theirs', 'Their tier', 1, 0);
    insert into prices (id, workspace_id, tier_id, interval, interval_count, amount, currency) values
      ('price_ours', 'ws_ours', 'tier_ours', 'Month', 1, 100, 'usd'),
      ('price_theirs', 'ws_theirs', 'tier_theirs', 'Month', 1, 100, 'usd');
  `);
});

async function theirTier() {
  return await db.selectFrom("tiers").where("id", "=", "tier_theirs").selectAll().executeTakeFirst();
}

const tierIds = (handle: Kysely<Tables>) => handle.selectFrom("tiers").select("id").execute();

it.each<[string, (handle: Kysely<Tables>) => Promise<unknown[]>]>([
  ["a list", (handle) => handle.selectFrom("tiers").select("id").execute()],
  [
    "a look-up",
    (handle) => handle.selectFrom("tiers").where("id", "=", "tier_theirs").select("id").execute(),
  ],
  [
    "an alias",
    (handle) => handle.selectFrom("tiers as t").where("t.name", "!=", "").select("t.id").execute(),
  ],
  [
    "a condition that is always true",
    (handle) => handle.selectFrom("tiers").where(sql<boolean>`true or true`).select("id").execute(),
  ],
  [
    "the other workspace's condition",
    (handle) => handle.selectFrom("tiers").where("workspace_id", "=", "ws_theirs").select("id").execute(),
  ],
  [
    "a subquery",
    (handle) =>
      handle
        .selectFrom((from) => from.selectFrom("tiers").selectAll().as("t"))
        .select("t.id")
        .execute(),
  ],
  [
    "a query that was made before",
    (handle) => handle.selectFrom(handle.selectFrom("tiers").selectAll().as("t")).select("t.id").execute(),
  ],
  [
    "a query with a name",
    (handle) =>
      handle
        .with("found", (from) => from.selectFrom("tiers").selectAll())
        .selectFrom("found")
        .select("id")
        .execute(),
  ],
  [
    "two tables side by side",
    (handle) => handle.selectFrom(["workspaces", "tiers"]).select("tiers.id").execute(),
  ],
  [
    "a join without a condition",
    (handle) => handle.selectFrom("workspaces").crossJoin("tiers").select("tiers.id").execute(),
  ],
  [
    "a join on anything",
    (handle) =>
      handle
        .selectFrom("workspaces")
        .innerJoin("tiers", (join) => join.on(sql<boolean>`true or true`))
        .select("tiers.id")
        .execute(),
  ],
  [
    "a union",
    (handle) =>
      handle
        .selectFrom("tiers")
        .select("id")
        .union(handle.selectFrom("tiers").where("name", "=", "Their tier").select("id"))
        .execute(),
  ],
])("reads nothing of another workspace by %s that forgets whose rows it means", async (_how, read) => {
  const rows = await read(ours);

  expect(JSON.stringify(rows)).not.toContain("theirs");
  expect(await read(db)).not.toEqual(rows);
});

it("finds nothing of theirs by what an outer join or a subquery within a condition says", async () => {
  const joined = await ours
    .selectFrom("workspaces")
    .leftJoin("tiers", (join) => join.on("tiers.id", "=", "tier_theirs"))
    .select(["workspaces.id", "tiers.name"])
    .execute();
  const counted = await ours
    .selectNoFrom((select) =>
      select.exists(select.selectFrom("tiers").where("id", "=", "tier_theirs").select("id")).as("exists"),
    )
    .executeTakeFirst();

  expect(joined).toEqual([{ id: "ws_ours", name: null }]);
  expect(counted).toEqual({ exists: false });
});

it("changes nothing of theirs by statements that forget whose rows they mean", async () => {
  const before = await theirTier();

  await ours.updateTable("tiers").set({ name: "Changed" }).execute();
  await ours
    .updateTable("tiers")
    .from("prices")
    .set({ name: "Changed" })
    .whereRef("prices.tier_id", "=", "tiers.id")
    .execute();
  await ours.deleteFrom("prices").using("tiers").whereRef("prices.tier_id", "=", "tiers.id").execute();
  await ours.deleteFrom("prices").execute();
  await ours.transaction().execute((trx) => trx.updateTable("workspaces").set({ name: "Changed" }).execute());

  expect(await theirTier()).toEqual(before);
  expect(await db.selectFrom("prices").select("id").execute()).toEqual([{ id: "price_theirs" }]);
  expect(await db.selectFrom("workspaces").select("name").orderBy("id").execute()).toEqual([
    { name: "Changed" },
    { name: "Theirs" },
  ]);
});

const row = { name: "New", weight: 1, order: 1, features: "[]" };
const refused: readonly (readonly [string, (handle: Kysely<Tables>) => Promise<unknown>])[] = [
  [
    "an insert for another workspace",
    (handle) =>
      handle
        .insertInto("tiers")
        .values({ ...row, id: "tier_new", workspace_id: "ws_theirs" })
        .execute(),
  ],
  [
    "an insert of several rows, one of them for another workspace",
    (handle) =>
      handle
        .insertInto("tiers")
        .values([
          { ...row, id: "tier_new", workspace_id: "ws_ours" },
          { ...row, id: "tier_newer", workspace_id: "ws_theirs", description: "Theirs" },
        ])
        .execute(),
  ],
  [
    "an insert of a query's rows",
    (handle) =>
      handle
        .insertInto("tiers")
        .columns(["id", "workspace_id", "name", "weight", "order"])
        .expression((from) =>
          from
            .selectFrom("tiers")
            .select(["id", sql<string>`'ws_theirs'`.as("w"), "name", "weight", "order"]),
        )
        .execute(),
  ],
  [
    "a change of whose a row is",
    (handle) => handle.updateTable("tiers").set({ workspace_id: "ws_theirs" }).execute(),
  ],
  ["hand-written SQL", (handle) => sql`select * from tiers`.execute(handle)],
  ["hand-written SQL that asks for no value", (handle) => sql`truncate tiers`.execute(handle)],
  [
    "hand-written SQL that reads a table beside the queue",
    (handle) => sql`select (select count(*) from graphile_worker.jobs, tiers)`.execute(handle),
  ],
  ["hand-written SQL in a list", (handle) => sql`select (table tiers)`.execute(handle)],
  [
    "hand-written SQL within a query",
    (handle) =>
      handle.selectFrom("workspaces").select(sql`(select name from tiers limit 1)`.as("name")).execute(),
  ],
  [
    "a hand-written table",
    (handle) => handle.selectFrom(sql<{ id: string }>`tiers`.as("t")).select("t.id").execute(),
  ],
  ["a table in hand-written SQL", (handle) => sql`select ${sql.table("tiers")}`.execute(handle)],
  ["a table that is not for it", (handle) => handle.selectFrom("sessions").selectAll().execute()],
  [
    "a join that keeps what does not match",
    (handle) =>
      handle
        .selectFrom("workspaces")
        .rightJoin("tiers", "tiers.workspace_id", "workspaces.id")
        .select("tiers.id")
        .execute(),
  ],
  [
    "a query that is called as a table is",
    (handle) =>
      handle
        .with("tiers", (from) => from.selectFrom("tiers").selectAll())
        .selectFrom("tiers")
        .select("id")
        .execute(),
  ],
  ["a change of the schema", (handle) => handle.schema.dropTable("tiers").execute()],
];

it.each(refused)("refuses %s", async (_what, run) => {
  await expect(run(ours)).rejects.toThrow(expect.objectContaining({ name: "ScopeError" }));
  expect(await tierIds(db)).toHaveLength(2);
});

it("writes what is the workspace's own, and takes no row of theirs for a conflict to update", async () => {
  await ours
    .insertInto("tiers")
    .values({ ...row, id: "tier_new", workspace_id: "ws_ours" })
    .execute();
  await ours
    .insertInto("tiers")
    .values({ ...row, id: "tier_theirs", workspace_id: "ws_ours" })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ name: "Taken" }))
    .execute();

  expect((await theirTier())?.name).toBe("Their tier");
  expect(await tierIds(ours)).toEqual([{ id: "tier_ours" }, { id: "tier_new" }]);
});

it("lets a handler see how full the queue of background tasks is", async () => {
  const { rows } = await sql<{ waiting: number }>`select (
    select count(*)::int from graphile_worker.jobs where queue_name = ${"favicon:ws_ours"}
  ) as waiting`.execute(ours);

  expect(rows).toEqual([{ waiting: 0 }]);
});

it("asks for values by hand-written SQL, whatever words its texts have", async () => {
  const { rows } = await sql`select 'copied from elsewhere' as text`.execute(ours);

  expect(rows).toEqual([{ text: "copied from elsewhere" }]);
});

it("scopes a statement that is built once, for each workspace that asks", async () => {
  const named = statement("test-tiers", (from, place: PlaceOf<{ readonly weight: number }>) =>
    from.selectFrom("tiers").where("weight", "=", place("weight")).select("id"),
  );

  expect(await named(ours, { weight: 1 })).toEqual([{ id: "tier_ours" }]);
  expect(await named(forWorkspace(db, "ws_theirs"), { weight: 1 })).toEqual([{ id: "tier_theirs" }]);
  expect(await ours.transaction().execute((trx) => named(trx, { weight: 1 }))).toEqual([{ id: "tier_ours" }]);
  expect(await named(db, { weight: 1 })).toHaveLength(2);
});

it("withholds the rows of a statement that was made by another handle", async () => {
  const made = db.selectFrom("tiers").selectAll().compile();

  await expect(ours.executeQuery(made)).rejects.toThrow("A statement was not made by this handle.");
});

it("is of one workspace, also where it is asked for another", async () => {
  expect(await tierIds(forWorkspace(ours, "ws_ours"))).toEqual([{ id: "tier_ours" }]);
  expect(await tierIds(forWorkspace(ours, "ws_theirs"))).toEqual([]);
});
