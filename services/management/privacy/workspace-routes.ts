import { invalidInput, notFound } from "#libs/http/index.ts";
import { api, forMembers, forMembersUnscoped } from "../api.ts";
import { lockWorkspace } from "../workspaces/queries.ts";
import { beginErasure } from "./erase-workspace.ts";
import { sendExport } from "./send-export.ts";

/** Every day that can have counts. */
const ALL_DAYS = { from: "2020-01-01", to: "2099-12-31" };

/** Deleting and exporting a workspace. */
export const workspacePrivacyRoutes = {
  delete: forMembers(api.workspaces.delete, async ({ input, context: { services, access } }) => {
    const { db, now } = services;
    await db.transaction().execute(async (trx) => {
      const workspace = await lockWorkspace(trx, access.workspaceId);
      if (workspace === undefined) throw notFound("Workspace");
      if (workspace.name !== input.name) {
        throw invalidInput({ fieldErrors: { name: ["This is not the name of the workspace."] } });
      }
      await beginErasure(trx, workspace, new Date(now()));
    });
    return { success: true };
  }),

  export: forMembersUnscoped(api.workspaces.export, async ({ context: { services, reply, access } }) => {
    const { workspaceId: id } = access;
    return await sendExport(services, reply, access.actor.personId, { kind: "workspace", id }, async () => ({
      dailyCounts: await services.stats.dailyOfWorkspace(id, ALL_DAYS),
    }));
  }),
};
