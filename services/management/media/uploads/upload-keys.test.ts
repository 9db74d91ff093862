import { sql } from "kysely";
import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";

const { db } = await createTestDatabase();
const keyOf = (file: string) => `ws_${"a0".repeat(13)}/${"9f".repeat(16)}.${file}`;

it.each([
  ["in an address", `https://ads.example/${keyOf("png")}?2`, [keyOf("png")]],
  ["in JSON", JSON.stringify({ one: keyOf("jpg"), other: keyOf("webp") }), [keyOf("jpg"), keyOf("webp")]],
  ["without anything between", keyOf("gif") + keyOf("avif"), [keyOf("gif"), keyOf("avif")]],
  ["that are cut off", `${keyOf("").slice(0, -1)} ws_ ${keyOf("png").slice(3)}`, []],
])("finds the keys of uploads %s", async (_where, text, keys) => {
  const { rows } = await sql<{ keys: string[] }>`select upload_keys(${text}, null, '') as keys`.execute(db);

  expect(rows[0]?.keys).toEqual(keys);
});
