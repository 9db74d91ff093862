import { expect, it } from "vitest";
import { z } from "zod";
import type { Tables } from "#libs/database/tables.ts";
import type { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { aPerson, aPublisher } from "../tests/story.ts";
import { aTenant, tenantTables, textsOf } from "../tests/two-tenants.ts";
import { exportedTables } from "./export.ts";
import { TABLE_RULES } from "./tables.ts";

const service = await startManagement({ unlimited: true, stats: "real" });
const { pool } = service.database;
const ours = await aTenant(service, "Spoonbill");
const theirs = await aTenant(service, "Magpie");
/** A second process of the installation, the one that keeps to its limits; it has a payment processor of its own. */
const limited = await startManagement({ beside: service });

const shape = z.object({
  about: z.record(z.string(), z.string()),
  exportedAt: z.string(),
  tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

async function read(caller: ApiCaller, path: string) {
  const { status, text, headers } = await caller.request("GET", path);
  if (status !== 200) throw new Error(`${path} answered ${status}: ${text}`);
  return { ...shape.parse(JSON.parse(text)), text, headers };
}

const names = Object.keys(TABLE_RULES);
const advertiser = `${ours.path}/advertisers/${ours.ids.advertiserId}`;

it("has a rule for every table of the database", async () => {
  const { rows } = await pool.query<{ name: string }>(
    "select table_name as name from information_schema.tables where table_schema = 'public' and table_name <> 'schema_migrations' order by 1",
  );

  expect(rows.map(({ name }) => name)).toEqual(names.toSorted());
});

it("exports every row of every table that belongs to a workspace", async () => {
  const { tables } = await read(ours.person.caller, `${ours.path}/export`);

  const exported = exportedTables("workspace");
  expect(Object.keys(tables)).toEqual(exported);
  for (const table of await tenantTables(service)) {
    const { rowCount } = await pool.query(`select from ${table} where workspace_id = $1`, [
      ours.workspace.id,
    ]);
    expect([table, tables[table]?.length]).toEqual([table, rowCount]);
  }
  expect(tables.people?.map(({ name }) => name)).toContain(ours.person.name);
  expect(Object.keys(tables.people?.[0] ?? {})).toEqual(["id", "name", "email", "image"]);
  expect(tables.workspaces).toMatchObject([{ id: ours.workspace.id, name: "Spoonbill Weekly" }]);
});

it("exports an advertiser with all related rows, and no other advertiser's", async () => {
  const { tables } = await read(ours.caller, `${advertiser}/export`);

  expect(tables.advertisers).toMatchObject([
    { id: ours.ids.advertiserId, email: ours.running.checkout.email },
  ]);
  expect(tables.ads?.map(({ id }) => id)).toEqual([ours.ids.adId]);
  expect(tables.revisions).toMatchObject([{ adId: ours.ids.adId, name: "Spoonbill Roasters" }]);
  for (const table of ["subscriptions", "invoices", "checkout_sessions"])
    expect(tables[table]).toHaveLength(1);
  expect(tables.audit_log?.map(({ action }) => action)).toContain("ad.approve");
});

it("exports a person with sessions, memberships, keys, invitations and actions", async () => {
  const { tables } = await read(ours.person.caller, "/v1/account/export");

  expect(tables.people).toMatchObject([{ email: ours.person.email, name: ours.person.name }]);
  expect(tables.sessions).toHaveLength(1);
  expect(tables.members).toMatchObject([{ workspaceId: ours.workspace.id, role: "Owner" }]);
  expect(tables.api_keys?.map(({ id }) => id)).toEqual([ours.key.id]);
  expect(tables.invitations?.map(({ id }) => id)).toContain(ours.ids.invitationId);
  expect(tables.audit_log?.map(({ action }) => action)).toEqual(
    expect.arrayContaining(["workspace.create", "api-key.create", "invitation.create"]),
  );
});

it("contains no password, token or hash, and nothing of another workspace", async () => {
  const texts = await Promise.all([
    read(ours.person.caller, `${ours.path}/export`),
    read(ours.person.caller, "/v1/account/export"),
    read(ours.caller, `${advertiser}/export`),
  ]);
  const { rows } = await pool.query<{ secret: string }>(
    `select password as secret from credentials union select token from sessions
     union select encode(hash, 'hex') from api_keys union select encode(token_hash, 'hex') from invitations
     union select encode(hash, 'base64') from api_keys union select id from checkout_sessions`,
  );
  const own = await textsOf(service, ours.workspace.id);
  const foreign = [...(await textsOf(service, theirs.workspace.id))].filter(
    (text) => text.length > 3 && !own.has(text) && !/^\d{4}-\d{2}-\d{2}T/.test(text),
  );

  const whole = texts.map(({ text }) => text).join();
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.filter(({ secret }) => whole.includes(secret))).toEqual([]);
  expect(foreign.filter((text) => whole.includes(text))).toEqual([]);
});

it("hides each column whose name says that it is a secret", async () => {
  const { rows } = await pool.query<{ table: keyof Tables; column: string }>(
    `select table_name as table, column_name as column from information_schema.columns
     where table_schema = 'public' and column_name ~ '(hash|token|password|secret|backup_codes|public_key)' and column_name !~ '_at$'`,
  );

  expect(rows.length).toBeGreaterThan(5);
  for (const { table, column } of rows) {
    const rule = TABLE_RULES[table];
    const isExported = (["person", "workspace", "advertiser"] as const).some(
      (kind) => typeof rule[kind] === "function",
    );
    const hidden: readonly string[] = rule.hidden ?? [];
    expect([table, column, !isExported || hidden.includes(column)]).toEqual([table, column, true]);
  }
});

it("is a downloadable file of any length", async () => {
  const publisher = await aPublisher(service, "Long Weekly");
  await pool.query(
    `insert into audit_log (id, workspace_id, actor_kind, actor_name, action, resource_kind, resource_id)
     select 'aud_' || lpad(n::text, 6, '0'), $1, 'person', 'Ada Example', 'tier.update', 'tier', 'tier_1'
     from generate_series(1, 1500) n`,
    [publisher.workspace.id],
  );

  const { tables, headers } = await read(publisher.person.caller, `${publisher.path}/export`);

  const ids = tables.audit_log?.map(({ id }) => id) ?? [];
  expect(ids).toHaveLength(1502);
  expect(new Set(ids).size).toBe(1502);
  expect(headers.get("content-disposition")).toMatch(
    /^attachment; filename="workspace-\d{4}-\d{2}-\d{2}\.json"$/,
  );
  expect(headers.get("cache-control")).toBe("no-store");
});

it("is limited to ten per hour and person", async () => {
  const person = await aPerson(limited);
  const statuses: number[] = [];

  for (let n = 0; n < 11; n += 1) {
    statuses.push((await person.caller.request("GET", "/v1/account/export")).status);
  }

  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
});
