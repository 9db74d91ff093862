import { isDeepStrictEqual } from "node:util";
import { violatedConstraint } from "#libs/database/errors.ts";
import { slugFromName } from "#libs/domain/slug.ts";
import { conflict, type HttpError, notFound } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { recordChange } from "../audit/record.ts";
import { queueFavicon } from "../favicons/queue.ts";
import { auditedWorkspace, presentWorkspace } from "./present.ts";
import {
  findWorkspace,
  insertWorkspace,
  listWorkspacesOf,
  lockWorkspace,
  type NewWorkspace,
  updateWorkspace,
} from "./queries.ts";

const SLUG_TRIES = 50;

export const workspaceRoutes = {
  list: api.workspaces.list.handler(async ({ context }) => {
    const rows = await listWorkspacesOf(context.services.db, actorOf(context).personId);
    return { items: rows.map(presentWorkspace) };
  }),

  create: api.workspaces.create.handler(async ({ input, context }) => {
    const { name, currency, websiteUrl = null } = input;
    const owner = actorOf(context);
    const create = (workspace: NewWorkspace) =>
      context.services.db.transaction().execute(async (trx) => {
        const row = await insertWorkspace(trx, workspace, owner.personId);
        if (row === undefined) return undefined;
        if (row.website_url !== null) await queueFavicon(trx, { workspaceId: row.id, adId: null });
        await recordChange(trx, owner, {
          workspaceId: row.id,
          action: "workspace.create",
          resourceId: row.id,
          after: auditedWorkspace(row),
        });
        return row;
      });
    // A slug that was made from the name gets a number when it is taken; one that was asked for does not.
    for (let attempt = 1; attempt <= SLUG_TRIES; attempt += 1) {
      const slug = input.slug ?? slugFromName(name, attempt);
      const row = await create({ name, slug, websiteUrl, currency });
      if (row !== undefined) return presentWorkspace(row);
      if (input.slug !== undefined) break;
    }
    throw slugTaken();
  }),

  get: api.workspaces.get.handler(async ({ input, context: { services } }) => {
    const row = await findWorkspace(services.db, input.workspaceId);
    if (row === undefined) throw notFound("Workspace");
    return presentWorkspace(row);
  }),

  update: api.workspaces.update.handler(async ({ input, context }) => {
    const { workspaceId, ...change } = input;
    const { db, now } = context.services;
    try {
      return await db.transaction().execute(async (trx) => {
        const before = await lockWorkspace(trx, workspaceId);
        if (before === undefined) throw notFound("Workspace");
        const asked = { ...auditedWorkspace(before), ...change };
        if (isDeepStrictEqual(asked, auditedWorkspace(before))) return presentWorkspace(before);
        const after = await updateWorkspace(trx, before, change, new Date(now()));
        if (after.website_url !== before.website_url) await queueFavicon(trx, { workspaceId, adId: null });
        await recordChange(trx, actorOf(context), {
          workspaceId,
          action: "workspace.update",
          resourceId: workspaceId,
          before: auditedWorkspace(before),
          after: auditedWorkspace(after),
        });
        return presentWorkspace(after);
      });
    } catch (error) {
      if (violatedConstraint(error) === "workspaces_slug_key") throw slugTaken();
      throw error;
    }
  }),
};

function slugTaken(): HttpError {
  return conflict({ fieldErrors: { slug: ["This slug is taken."] } });
}
