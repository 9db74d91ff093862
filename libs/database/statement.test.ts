import { sql } from "kysely";
import { expect, it } from "vitest";
import { type PlaceOf, statement } from "./statement.ts";
import { createTestDatabase } from "./testing.ts";

const { db } = await createTestDatabase();

const workspaceBySlug = statement("test-by-slug", (from, place: PlaceOf<{ readonly slug: string }>) =>
  from
    .selectFrom("workspaces")
    .where("slug", "=", place("slug"))
    .where("currency", "=", "usd")
    .select(["name", "slug"]),
);

async function aWorkspace(slug: string): Promise<void> {
  await db.insertInto("workspaces").values({ id: slug, name: slug, slug, currency: "usd" }).execute();
}

it("runs with the values of each time, and keeps those that the query itself has", async () => {
  await aWorkspace("weekly");
  await aWorkspace("daily");

  const found = [
    await workspaceBySlug(db, { slug: "weekly" }),
    await workspaceBySlug(db, { slug: "daily" }),
    await workspaceBySlug(db, { slug: "nowhere" }),
  ];

  expect(found).toEqual([[{ name: "weekly", slug: "weekly" }], [{ name: "daily", slug: "daily" }], []]);
});

it("has the server parse it once on each connection, also within transactions, and other queries each time", async () => {
  await db.connection().execute(async (connection) => {
    await workspaceBySlug(connection, { slug: "weekly" });
    await connection.transaction().execute((trx) => workspaceBySlug(trx, { slug: "daily" }));
    await connection.selectFrom("workspaces").select("id").execute();

    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(connection);
    expect(rows).toEqual([{ name: "test-by-slug" }]);
  });
});
