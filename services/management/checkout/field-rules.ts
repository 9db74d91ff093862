import { isDeepStrictEqual } from "node:util";
import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import type { FieldRules } from "#libs/domain/field.ts";
import { unavailable } from "#libs/http/index.ts";
import { listFieldRules } from "../fields/queries.ts";

const ATTEMPTS = 5;
const RETRY_AFTER_MS = 1_000;

/** The fields have changed since a submission's values were checked. */
class RulesChanged extends Error {
  override readonly name = "RulesChanged";
}

/**
 * The last thing in a submission's transaction: takes the lock that changes of fields take, and throws where the rules
 * that the values were checked by no longer hold. From then on a field's change waits, and sees the values.
 */
export async function requireRules(
  trx: Transaction<Tables>,
  workspaceId: string,
  rules: readonly FieldRules[],
): Promise<void> {
  await trx.selectFrom("workspaces").where("id", "=", workspaceId).select("id").forNoKeyUpdate().execute();
  if (!isDeepStrictEqual(await listFieldRules(trx, workspaceId), rules)) throw new RulesChanged();
}

/** Submits again, by the new rules, when they changed under it; 503 when they do not come to rest. */
export async function untilRulesHold<T>(submit: () => Promise<T>): Promise<T> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      return await submit();
    } catch (error) {
      if (!(error instanceof RulesChanged)) throw error;
    }
  }
  throw unavailable(RETRY_AFTER_MS);
}
