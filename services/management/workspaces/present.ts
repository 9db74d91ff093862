import type { Selectable } from "kysely";
import type { WorkspacesTable } from "#libs/database/tables.ts";
import type { MemberRole } from "#libs/domain/member.ts";

/** A workspace as a member of that role sees it. */
export function presentWorkspace(row: Selectable<WorkspacesTable>, role: MemberRole) {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    websiteUrl: row.website_url,
    faviconUrl: row.favicon_url,
    currency: row.currency,
    role,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** What the audit log keeps of a workspace. */
export function auditedWorkspace({ name, slug, website_url, currency }: Selectable<WorkspacesTable>) {
  return { name, slug, websiteUrl: website_url, currency };
}
