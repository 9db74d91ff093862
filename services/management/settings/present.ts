import type { Selectable } from "kysely";
import type { WorkspacesTable } from "#libs/database/tables.ts";
import type { MutableMail } from "#libs/domain/settings.ts";
import type { UsualLimits } from "../services.ts";

export type SettingsRow = Pick<
  Selectable<WorkspacesTable>,
  "audience_public" | "impressions_per_minute" | "clicks_per_minute" | "muted_mails"
>;

/** A workspace's settings as its members see them, with the limits that hold where `usual` are the installation's. */
export function presentSettings(row: SettingsRow, usual: UsualLimits) {
  const { impressions_per_minute: impressionsPerMinute, clicks_per_minute: clicksPerMinute } = row;
  return {
    audiencePublic: row.audience_public,
    limits: { impressionsPerMinute, clicksPerMinute },
    limitsInEffect: {
      impressionsPerMinute: impressionsPerMinute ?? usual.impressionsPerMinute,
      clicksPerMinute: clicksPerMinute ?? usual.clicksPerMinute,
    },
    mails: mailsOf(row),
  };
}

/** What the audit log keeps of settings. */
export function auditedSettings(row: SettingsRow) {
  return {
    audiencePublic: row.audience_public,
    impressionsPerMinute: row.impressions_per_minute,
    clicksPerMinute: row.clicks_per_minute,
    ...mailsOf(row),
  };
}

function mailsOf({ muted_mails: muted }: SettingsRow): Record<MutableMail, boolean> {
  const isSent = (mail: MutableMail) => !muted.includes(mail);
  return {
    adWaiting: isSent("adWaiting"),
    paymentFailed: isSent("paymentFailed"),
    subscriptionCanceled: isSent("subscriptionCanceled"),
    monthlyReports: isSent("monthlyReports"),
  };
}
