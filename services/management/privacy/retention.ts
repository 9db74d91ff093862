import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { DROPPED_MAILS_DAYS } from "#libs/domain/letters.ts";
import { removeInSteps } from "../store/remove-in-steps.ts";

const DAY_MS = 24 * 60 * 60_000;

/** How long personal data and records of money are kept. */
export interface Retention {
  readonly auditDays: number;
  /** How long checkout sessions that ended without a purchase are kept. */
  readonly checkoutSessionDays: number;
  /** How long invoices of deleted workspaces are kept. */
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
