import type { Transaction } from "kysely";
import type { AuditValues } from "#libs/database/json-columns.ts";
import type { Tables } from "#libs/database/tables.ts";
import type { AuditAction, OperatorAction } from "#libs/domain/audit.ts";
import { newId } from "#libs/domain/ids.ts";
import type { Actor } from "../api/access/granted.ts";
import { shortened } from "./shorten.ts";

/** A change of one resource. */
export interface Change {
  /** Null for an operator's change that concerns the whole installation. */
  readonly workspaceId: string | null;
  readonly action: AuditAction | OperatorAction;
  readonly resourceId: string;
  /** The resource's values before and after, named as in the API; only those that differ are kept, long ones shortened. */
  readonly before?: AuditValues | null;
  readonly after?: AuditValues | null;
}

/** Who acts without signing in: the holder of a checkout session, the payment processor, or an operator. */
export type Outsider = { readonly kind: "advertiser" | "processor" | "operator"; readonly name: string };

/** Writes a change to the audit log, in the change's own transaction. `before` and `after` must not contain secrets. */
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
      before: before === null ? null : JSON.stringify(shortened(before)),
      after: after === null ? null : JSON.stringify(shortened(after)),
    })
    .execute();
}

/** The values that differ between two sets; the whole set if the other is absent. */
function differences(before: AuditValues | null, after: AuditValues | null) {
  if (before === null || after === null) return { before, after };
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  const changed = [...keys].filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const pick = (values: AuditValues) => Object.fromEntries(changed.map((key) => [key, values[key] ?? null]));
  return { before: pick(before), after: pick(after) };
}
