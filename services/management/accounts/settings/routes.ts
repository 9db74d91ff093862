import { isDeepStrictEqual } from "node:util";
import type { Kysely, Transaction } from "kysely";
import { onePage } from "#libs/contract/query.ts";
import type { Tables } from "#libs/database/tables.ts";
import { notFound } from "#libs/http/index.ts";
import type { Payments } from "#libs/payments/index.ts";
import { api, forMembers } from "../../api/api.ts";
import { requireMatch } from "../../api/preconditions.ts";
import { recordChange } from "../../audit/record.ts";
import { findDropped } from "../../mail/dropped.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { withinApprovedBytes } from "../../snapshots/approved-bytes.ts";
import { bumpSnapshotVersion } from "../../snapshots/publish.ts";
import { findWorkspace, lockWorkspace } from "../workspaces/queries.ts";
import {
  auditedSettings,
  changeSettings,
  type DefaultLimits,
  presentSettings,
  recordGraceChange,
  updateSettings,
} from "./settings.ts";

export interface SettingsPorts {
  readonly logos: Logos;
  readonly usualLimits: DefaultLimits;
  readonly payments: Pick<Payments, "moment">;
  readonly now: () => number;
}

/** The uploads that a media kit may show. */
export interface Logos {
  /** The key of the upload with this address. Throws 422 for anything that is no image of the workspace. */
  inspect(db: Kysely<Tables>, workspaceId: string, url: string): Promise<string>;
  /** Keeps the upload until the transaction ends. Throws 422 if it was removed meanwhile. */
  hold(trx: Transaction<Tables>, workspaceId: string, key: string): Promise<void>;
}

/** What is added to the address of every ad. */
const UTM_SETTINGS = ["utm_source", "utm_medium", "utm_campaign"] as const;

/** The settings that serving has. */
const SNAPSHOT_SETTINGS = [
  "impressions_per_minute",
  "clicks_per_minute",
  "require_proof",
  "record_pages",
  "count_visitors",
  ...UTM_SETTINGS,
] as const;

export const settingsRoutes = ({ usualLimits, logos, payments, now }: SettingsPorts) => ({
  get: forMembers(api.settings.get, async ({ context: { db, access } }) => {
    const row = await findWorkspace(db, access.workspaceId);
    if (row === undefined) throw notFound("Workspace");
    return presentSettings(row, usualLimits);
  }),

  droppedEmails: forMembers(api.settings.droppedEmails, async ({ context: { db, access } }) => {
    const rows = await findDropped(db, access.workspaceId);
    return onePage(rows.map(({ last_at, ...counted }) => ({ ...counted, lastAt: last_at.toISOString() })));
  }),

  update: forMembers(api.settings.update, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const logoUrl = input.mediaKit?.logoUrl ?? null;
    const logo = logoUrl === null ? null : await logos.inspect(context.db, workspaceId, logoUrl);
    return await context.db.transaction().execute(async (trx) => {
      if (logo !== null) await logos.hold(trx, workspaceId, logo);
      const before = await lockWorkspace(trx, workspaceId);
      if (before === undefined) throw notFound("Workspace");
      await requireMatch(context.reply.request, () => presentSettings(before, usualLimits));
      const asked = changeSettings(before, input);
      if (isDeepStrictEqual(auditedSettings(asked), auditedSettings(before))) {
        return presentSettings(before, usualLimits);
      }
      const changesUtm = UTM_SETTINGS.some((setting) => asked[setting] !== before[setting]);
      const update = () => updateSettings(trx, workspaceId, asked, new Date(now()));
      await (changesUtm ? withinApprovedBytes(trx, workspaceId, "utm", update) : update());
      if (SNAPSHOT_SETTINGS.some((setting) => asked[setting] !== before[setting])) {
        await bumpSnapshotVersion(trx, workspaceId);
      }
      if (asked.renewal_grace_days !== before.renewal_grace_days) {
        await recordGraceChange(trx, before, payments.moment(now()).atProcessor);
        await enqueue(trx, "refresh-grace", { workspaceId });
      }
      await recordChange(trx, context.access.actor, {
        workspaceId,
        action: "settings.update",
        resourceId: workspaceId,
        before: auditedSettings(before),
        after: auditedSettings(asked),
      });
      return presentSettings(asked, usualLimits);
    });
  }),
});
