import type { Selectable } from "kysely";
import type { WorkspacesTable } from "#libs/database/tables.ts";
import { slugFromName } from "#libs/domain/slug.ts";
import { conflict } from "#libs/http/index.ts";
import { actorOf, api } from "../api.ts";
import { insertWorkspace, listWorkspacesOf } from "./queries.ts";

const SLUG_TRIES = 50;

export const workspaceRoutes = {
  list: api.workspaces.list.handler(async ({ context }) => {
    const rows = await listWorkspacesOf(context.services.db, actorOf(context).personId);
    return { items: rows.map(presentWorkspace) };
  }),

  create: api.workspaces.create.handler(async ({ input, context }) => {
    const { db } = context.services;
    const ownerId = actorOf(context).personId;
    // A slug that was made from the name gets a number when it is taken; one that was asked for does not.
    for (let attempt = 1; attempt <= SLUG_TRIES; attempt += 1) {
      const slug = input.slug ?? slugFromName(input.name, attempt);
      const row = await db
        .transaction()
        .execute((trx) =>
          insertWorkspace(
            trx,
            { name: input.name, slug, websiteUrl: input.websiteUrl ?? null, currency: input.currency },
            ownerId,
          ),
        );
      if (row !== undefined) return presentWorkspace(row);
      if (input.slug !== undefined) break;
    }
    throw conflict({ fieldErrors: { slug: ["This slug is taken."] } });
  }),
};

/** A workspace as its members see it. */
export function presentWorkspace(row: Selectable<WorkspacesTable>) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    websiteUrl: row.website_url,
    faviconUrl: row.favicon_url,
    currency: row.currency,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
