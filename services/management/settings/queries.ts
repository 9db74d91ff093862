import type { Selectable, Transaction } from "kysely";
import type { Tables, WorkspacesTable } from "#libs/database/tables.ts";
import { MUTABLE_MAILS, type MutableMail } from "#libs/domain/settings.ts";
import type { SettingsRow } from "./present.ts";

/** What is left out or undefined stays. */
export interface SettingsChange {
  readonly audiencePublic?: boolean | undefined;
  readonly limits?:
    | {
        readonly impressionsPerMinute?: number | null | undefined;
        readonly clicksPerMinute?: number | null | undefined;
      }
    | undefined;
  readonly mails?: { readonly [M in MutableMail]?: boolean | undefined } | undefined;
}

/** The settings as they are after a change. */
export function changeSettings(
  before: SettingsRow,
  { audiencePublic, limits, mails }: SettingsChange,
): SettingsRow {
  const { impressionsPerMinute, clicksPerMinute } = limits ?? {};
  const isSent = (mail: MutableMail) => mails?.[mail] ?? !before.muted_mails.includes(mail);
  return {
    audience_public: audiencePublic ?? before.audience_public,
    impressions_per_minute:
      impressionsPerMinute === undefined ? before.impressions_per_minute : impressionsPerMinute,
    clicks_per_minute: clicksPerMinute === undefined ? before.clicks_per_minute : clicksPerMinute,
    muted_mails: MUTABLE_MAILS.filter((mail) => !isSent(mail)),
  };
}

/** Writes settings into a workspace that the transaction has locked. */
export async function updateSettings(
  trx: Transaction<Tables>,
  workspaceId: string,
  settings: SettingsRow,
  now: Date,
): Promise<Selectable<WorkspacesTable>> {
  return await trx
    .updateTable("workspaces")
    .set({ ...settings, updated_at: now })
    .where("id", "=", workspaceId)
    .returningAll()
    .executeTakeFirstOrThrow();
}
