import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Change, recordChange } from "../audit/record.ts";

const OPERATOR = { kind: "operator", name: "Operator" } as const;

/**
 * Records an action of the operator in the audit log, in the action's transaction. With a `workspaceId` it goes to that
 * workspace's log, which members read and which is deleted with the workspace; with null to the installation's, which stays.
 */
export async function recordOperatorAction(trx: Transaction<Tables>, change: Change): Promise<void> {
  await recordChange(trx, OPERATOR, change);
}
