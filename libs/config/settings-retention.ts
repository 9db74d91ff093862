import { setting } from "./setting.ts";
import { days, wholeNumber } from "./shapes.ts";

/** How long personal data and records of money are kept; a daily job removes what is older. */
export const retentionSettings = {
  auditRetentionDays: setting(
    "AUDIT_RETENTION_DAYS",
    days(1).default(730),
    "Entries of the audit log are removed after this many days. They name people. Default 730.",
  ),
  checkoutSessionRetentionDays: setting(
    "CHECKOUT_SESSION_RETENTION_DAYS",
    // The payment processor closes a session after a day, and may tell so late.
    days(3).default(30),
    "Checkout sessions that ended without a purchase are removed after this many days. Default 30.",
  ),
  moneyRecordYears: setting(
    "MONEY_RECORD_YEARS",
    wholeNumber.min(0, "must be between 0 and 30").max(30, "must be between 0 and 30").default(10),
    "Invoices of deleted workspaces are kept for this many years after their issue, without names or addresses; 0 keeps none. Default 10.",
  ),
};
