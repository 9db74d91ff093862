import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { Services } from "../services.ts";
import { removeInSteps } from "./remove-in-steps.ts";

const DAY_MS = 24 * 60 * 60_000;

/** Removes, in bounded steps, what is older than the retention settings allow, and what has expired. */
export async function forgetByAge({
  db,
  now,
  retention,
}: Pick<Services, "db" | "now" | "retention">): Promise<void> {
  const moment = new Date(now());
  const remove = (table: keyof Tables, condition: RawBuilder<boolean>) => removeInSteps(db, table, condition);
  await remove("sessions", sql`expires_at < ${moment}`);
  await remove("verifications", sql`expires_at < ${moment}`);
  await remove("invitations", sql`expires_at < ${moment}`);
  await remove("audit_log", sql`occurred_at < ${daysBefore(moment, retention.auditDays)}`);
  const sessionsBefore = daysBefore(moment, retention.checkoutSessionDays);
  await remove("checkout_sessions", sql`status = 'expired' and updated_at < ${sessionsBefore}`);
  // The payment processor ends a session after a day, so one that is open for weeks is unknown to it.
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
