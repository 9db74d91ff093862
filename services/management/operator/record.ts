import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Change, recordChange } from "../audit/record.ts";

const OPERATOR = { kind: "operator", name: "Operator" } as const;

/**
 * Writes what an operator does to the audit log, in the transaction of the deed: to a workspace's own, which its members
 * read and which ends with it, or with a `workspaceId` of null to the installation's, which stays.
 */
export async function recordDeed(trx: Transaction<Tables>, change: Change): Promise<void> {
  await recordChange(trx, OPERATOR, change);
}
