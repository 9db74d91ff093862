import { isDeepStrictEqual } from "node:util";
import { notFound } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { announceChange } from "../serving-feed/version.ts";
import { findWorkspace, lockWorkspace } from "../workspaces/queries.ts";
import { auditedSettings, presentSettings } from "./present.ts";
import { changeSettings, updateSettings } from "./queries.ts";

export const settingsRoutes = {
  get: api.settings.get.handler(async ({ input, context: { services } }) => {
    const row = await findWorkspace(services.db, input.workspaceId);
    if (row === undefined) throw notFound("Workspace");
    return presentSettings(row, services.usualLimits);
  }),

  update: api.settings.update.handler(async ({ input, context }) => {
    const { workspaceId, ...change } = input;
    const { db, now, usualLimits } = context.services;
    return await db.transaction().execute(async (trx) => {
      const before = await lockWorkspace(trx, workspaceId);
      if (before === undefined) throw notFound("Workspace");
      const asked = changeSettings(before, change);
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
      await recordChange(trx, actorOf(context), {
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
