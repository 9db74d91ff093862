import { expect, it } from "vitest";
import { startManagement } from "../tests/management.ts";
import { aPublisher, aTier } from "../tests/story.ts";
import { sweep } from "../worker/sweep.ts";

const DAY_MS = 24 * 60 * 60_000;
const service = await startManagement({ unlimited: true });
const { services, database } = service;
const { pool } = database;
const publisher = await aPublisher(service);

const sweepAfter = (days: number, retention: Partial<typeof services.retention> = {}) =>
  sweep({
    ...services,
    retention: { ...services.retention, ...retention },
    now: () => Date.now() + days * DAY_MS,
  });

const idsOf = async (table: string): Promise<string[]> =>
  (await pool.query<{ id: string }>(`select id from ${table} order by id`)).rows.map(({ id }) => id);

it("removes entries of the audit log after AUDIT_RETENTION_DAYS, and not before", async () => {
  await aTier(publisher);
  const made = await idsOf("audit_log");

  await sweepAfter(89, { auditDays: 90 });
  const before = await idsOf("audit_log");
  await sweepAfter(91, { auditDays: 90 });

  expect(made.length).toBeGreaterThan(1);
  expect(before).toEqual(made);
  expect(await idsOf("audit_log")).toEqual([]);
});

it("removes an audit log of many thousand entries in steps", async () => {
  await pool.query(
    `insert into audit_log (id, workspace_id, actor_kind, actor_name, action, resource_kind, resource_id)
     select 'audit_' || n, $1, 'person', 'Ada Example', 'tier.update', 'tier', 'tier_1'
     from generate_series(1, 12000) n`,
    [publisher.workspace.id],
  );

  await sweepAfter(731);

  expect(await idsOf("audit_log")).toEqual([]);
});

it("removes checkout sessions without a purchase after CHECKOUT_SESSION_RETENTION_DAYS, and keeps the others", async () => {
  const { prices } = await aTier(publisher);
  await pool.query(
    `insert into checkout_sessions (id, workspace_id, price_id, status)
     select 'cs_' || status, $1, $2, status::checkout_status
     from unnest(array['open', 'complete', 'expired']) status`,
    [publisher.workspace.id, prices[0]?.id],
  );

  await sweepAfter(29);
  const before = await idsOf("checkout_sessions");
  await sweepAfter(31);

  expect(before).toEqual(["cs_complete", "cs_expired", "cs_open"]);
  expect(await idsOf("checkout_sessions")).toEqual(["cs_complete"]);
});

it("removes invoices of deleted workspaces MONEY_RECORD_YEARS after their issue", async () => {
  await pool.query(
    `insert into retained_invoices
     select 'invoice_' || years, 'ws_gone', null, 'in_' || years, null, 'paid', 'usd', 4900, 4900, 0, 0, false,
            issued, issued, issued, issued
     from unnest(array[2, 9]) years, lateral (select now() - make_interval(years => years) as issued) at`,
  );

  await sweepAfter(0);
  const before = await idsOf("retained_invoices");
  await sweepAfter(2 * 366);

  expect(before).toEqual(["invoice_2", "invoice_9"]);
  expect(await idsOf("retained_invoices")).toEqual(["invoice_2"]);
});
