import type { Kysely, Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { type Change, recordChange } from "../audit/record.ts";

export interface OperatorContext {
  readonly db: Kysely<Tables>;
  readonly now: Date;
  /** Writes a line to standard output. */
  readonly say: (line: string) => void;
}

export interface OperatorCommand {
  /** The words after the name: `<required>`, `[optional]`. Their number is checked before `run`. */
  readonly parameters: readonly (`<${string}>` | `[${string}]`)[];
  /** The command's line in the help. */
  readonly about: string;
  /** Throws `CommandError` with one sentence for the operator. */
  run(context: OperatorContext, given: readonly string[]): Promise<void>;
}

const OPERATOR = { kind: "operator", name: "Operator" } as const;

/**
 * Records an action of the operator in the audit log, in the action's transaction. With a `workspaceId` it goes to that
 * workspace's log, which members read and which is deleted with the workspace; without one to the installation's, which stays.
 */
export async function recordOperatorAction(trx: Transaction<Tables>, change: Change): Promise<void> {
  await recordChange(trx, OPERATOR, change);
}
