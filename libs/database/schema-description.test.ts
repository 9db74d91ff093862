import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { describeSchema } from "./schema-description.ts";
import { describeTables } from "./table-types.ts";
import { createEmptyDatabase, createTestDatabase } from "./testing.ts";

const migrated = await createTestDatabase();
const empty = await createEmptyDatabase();

it("is what the migrations make: after a change of them, run `npm run schema`", async () => {
  const committed = await readFile(new URL("./schema.sql", import.meta.url), "utf8");
  const types = await readFile(new URL("./tables.ts", import.meta.url), "utf8");

  expect(await describeSchema(migrated.pool)).toBe(committed);
  expect(await describeTables(migrated.pool)).toBe(types);
});

it("refuses a column whose type is stated nowhere, such as a new one of JSON", async () => {
  const { pool } = await createEmptyDatabase();
  await pool.query("create table notes (id text, body jsonb)");

  await expect(describeTables(pool)).rejects.toThrow("The type of notes.body, jsonb, is stated nowhere.");
});

it("describes types, nullability, defaults, constraints, indexes and enums", async () => {
  await empty.pool.query(`
    create type mood as enum ('glad', 'sad');
    create table notes (
      id bigint generated always as identity primary key,
      "order" int not null default 0 check ("order" >= 0),
      mood mood default 'glad',
      twice int generated always as ("order" * 2) stored
    );
    create unique index notes_glad on notes ("order") where mood = 'glad';
  `);

  const described = await describeSchema(empty.pool);

  expect(described.slice(described.indexOf("create"))).toBe(`create type mood as enum ('glad', 'sad');

create table notes (
  id bigint not null generated always as identity,
  "order" integer not null default 0,
  mood mood default 'glad'::mood,
  twice integer generated always as (("order" * 2)) stored,
  constraint notes_pkey PRIMARY KEY (id),
  constraint notes_order_check CHECK (("order" >= 0))
);
CREATE UNIQUE INDEX notes_glad ON public.notes USING btree ("order") WHERE (mood = 'glad'::mood);
`);
});
