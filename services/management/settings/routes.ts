import { isDeepStrictEqual } from "node:util";
import { notFound } from "#libs/http/index.ts";
import { api, forMembers } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { announceChange } from "../serving-feed/version.ts";
import { findWorkspace, lockWorkspace } from "../workspaces/queries.ts";
import { auditedSettings, presentSettings } from "./present.ts";
import { changeSettings, updateSettings } from "./queries.ts";

export const settingsRoutes = {
  get: forMembers(api.settings.get, async ({ context: { services, access } }) => {
    const row = await findWorkspace(services.db, access.workspaceId);
    if (row === undefined) throw notFound("Workspace");
    return presentSettings(row, services.usualLimits);
  }),

  update: forMembers(api.settings.update, async ({ input, context }) => {
    const { workspaceId } = context.access;
    const { db, now, usualLimits } = context.services;
    return await db.transaction().execute(async (trx) => {
      const before = await lockWorkspace(trx, workspaceId);
      if (before === undefined) throw notFound("Workspace");
      const asked = changeSettings(before, input);
      if (isDeepStrictEqual(auditedSettings(asked), auditedSettings(before))) {
        return presentSettings(before, usualLimits);
      }
      await updateSettings(trx, workspaceId, asked, new Date(now()));
      if (
        asked.impressions_per_minute !== before.impressions_per_minute ||
        asked.clicks_per_minute !== before.clicks_per_minute
      ) {
        await announceChange(trx, workspaceId);
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
};
