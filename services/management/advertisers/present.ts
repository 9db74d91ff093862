import type { Selectable } from "kysely";
import type { AdvertisersTable } from "#libs/database/tables.ts";

/** An advertiser without totals and ads. */
export function presentAdvertiser(row: Selectable<AdvertisersTable>) {
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}
