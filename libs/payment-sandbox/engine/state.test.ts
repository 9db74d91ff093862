import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import type { Product } from "./records.ts";
import { openState } from "./state.ts";

/** As the first form of the file was, which knew one account. */
const FIRST_FORM = `
  CREATE TABLE records (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, id TEXT NOT NULL, json TEXT NOT NULL,
    due_at INTEGER, UNIQUE (kind, id)
  ) STRICT;
  CREATE INDEX records_due ON records (kind, due_at) WHERE due_at IS NOT NULL;
  CREATE TABLE events (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL, payload TEXT NOT NULL, attempts INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE answers (
    key TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, body TEXT NOT NULL, answered_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO settings VALUES ('clock_offset', 86400);
  INSERT INTO events (id, payload, attempts) VALUES ('evt_waiting', '{}', 3);
`;

it("upgrades a file of the first form, with its queued events", async () => {
  const file = join(await aFolder(), "payments.db");
  const product: Product = {
    id: "tier_1",
    object: "product",
    active: true,
    created: 1,
    metadata: {},
    name: "Front page",
  };
  const before = new DatabaseSync(file);
  before.exec(FIRST_FORM);
  before
    .prepare("INSERT INTO records (kind, id, json) VALUES ('product', ?, ?)")
    .run(product.id, JSON.stringify(product));
  before.close();

  openState(file).close();
  const state = openState(file);

  expect(state.store.of(null).find("product", "tier_1")).toEqual(product);
  expect(state.store.of("acct_1").find("product", "tier_1")).toBeUndefined();
  expect(state.events.next(Date.now())).toMatchObject({ id: "evt_waiting", attempts: 3 });
  expect(state.clockOffset()).toBe(86_400);
  state.close();
});
