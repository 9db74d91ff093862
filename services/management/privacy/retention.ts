import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { DROPPED_MAILS_DAYS } from "#libs/domain/letters.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How long personal data and records of money are kept. */
export interface Retention {
  readonly auditDays: number;
  /** Of checkout sessions that ended without a purchase. */
  readonly checkoutSessionDays: number;
  /** Of invoices of deleted workspaces. */
  readonly moneyRecordYears: number;
}

/** Removes, in bounded steps, expired rows and those older than the retention settings allow. */
export async function forgetByAge(db: Kysely<Tables>, retention: Retention, moment: Date): Promise<void> {
  const remove = (table: keyof Tables, condition: RawBuilder<boolean>) => removeInSteps(db, table, condition);
  await remove("sessions", sql`expires_at < ${moment}`);
  await remove("verifications", sql`expires_at < ${moment}`);
  await remove("advertiser_links", sql`expires_at < ${moment}`);
  await remove("invitations", sql`expires_at < ${moment}`);
  await remove("dropped_mails", sql`dropped_at < ${daysBefore(moment, DROPPED_MAILS_DAYS)}`);
  await remove("audit_log", sql`occurred_at < ${daysBefore(moment, retention.auditDays)}`);
  const sessionsBefore = daysBefore(moment, retention.checkoutSessionDays);
  await remove("checkout_sessions", sql`status = 'expired' and updated_at < ${sessionsBefore}`);
  // The payment processor ends a session after a day, so one that is still open after weeks is unknown to it.
  await remove("checkout_sessions", sql`status = 'open' and created_at < ${sessionsBefore}`);
  await forgetMoney(db, moment, retention.moneyRecordYears);
}

/** By the calendar: ten years from a February 29th end on a March 1st. */
async function forgetMoney(db: Kysely<Tables>, now: Date, years: number): Promise<void> {
  const before = new Date(now);
  before.setUTCFullYear(before.getUTCFullYear() - years);
  await removeInSteps(db, "retained_invoices", sql`issued_at < ${before}`);
}

function daysBefore(moment: Date, days: number): Date {
  return new Date(moment.getTime() - days * DAY_MS);
}

const ROWS_IN_A_STEP = 5_000;
/** Per run; the next run removes the rest. */
const MOST_STEPS = 1_000;

/** Removes the rows that meet a condition, a few thousand per statement, so that no statement takes long. */
export async function removeInSteps(
  db: Kysely<Tables>,
  table: keyof Tables,
  condition: RawBuilder<boolean>,
): Promise<void> {
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const { numAffectedRows = 0n } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(ROWS_IN_A_STEP)}
      ))`.execute(db);
    if (numAffectedRows < ROWS_IN_A_STEP) return;
  }
}
