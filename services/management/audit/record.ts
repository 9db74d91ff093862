import type { Transaction } from "kysely";
import type { AuditValues, Tables } from "#libs/database/tables.ts";
import { newId } from "#libs/domain/ids.ts";
import type { Actor } from "../access/actor.ts";

/** One thing that somebody did to one resource. */
export interface Change {
  /** Null for what concerns the installation and not one workspace; only an operator does such. */
  readonly workspaceId: string | null;
  /** `resource.verb`, as `tier.archive`, `ad.approve`. */
  readonly action: `${string}.${string}`;
  readonly resourceId: string;
  /** The resource's values before and after, in the API's words; only those that differ are kept. */
  readonly before?: AuditValues | null;
  readonly after?: AuditValues | null;
}

/** Who acts where nobody is signed in: the holder of a checkout session, the payment processor, or an operator. */
export type Outsider = { readonly kind: "advertiser" | "processor" | "operator"; readonly name: string };

/** Writes a change to the audit log, in the change's own transaction. Secrets never belong in `before` or `after`. */
export async function recordChange(
  trx: Transaction<Tables>,
  actor: Actor | Outsider,
  change: Change,
): Promise<void> {
  const { before, after } = differences(change.before ?? null, change.after ?? null);
  await trx
    .insertInto("audit_log")
    .values({
      id: newId("auditEntry"),
      workspace_id: change.workspaceId,
      actor_kind: actor.kind,
      actor_id: "id" in actor ? actor.id : null,
      actor_name: actor.name,
      action: change.action,
      resource_kind: change.action.split(".")[0] ?? change.action,
      resource_id: change.resourceId,
      before: before === null ? null : JSON.stringify(before),
      after: after === null ? null : JSON.stringify(after),
    })
    .execute();
}

/** What differs between two sets of values; all of the one where the other is absent. */
function differences(before: AuditValues | null, after: AuditValues | null) {
  if (before === null || after === null) return { before, after };
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const pick = (values: AuditValues) => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
