import type { Selectable } from "kysely";
import type { WorkspacesTable } from "#libs/database/tables.ts";

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

/** What the audit log keeps of a workspace. */
export function auditedWorkspace({ name, slug, website_url, currency }: Selectable<WorkspacesTable>) {
  return { name, slug, websiteUrl: website_url, currency };
}
