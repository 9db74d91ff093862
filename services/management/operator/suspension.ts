import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { queueClosing } from "../checkout/close-checkouts.ts";
import { announceChange } from "../serving-feed/version.ts";
import { membershipsOf, setPersonSuspended, setWorkspaceSuspended } from "./queries.ts";
import { recordOperatorAction } from "./record.ts";
import type { Subject } from "./subject.ts";

/**
 * Suspends a person or a workspace at `since`, or restores it (null), and records that in the audit log of each workspace
 * concerned; a person's also in that of the installation. A workspace's ads stop or resume within a second, and its open
 * checkouts are closed by a job. False if nothing changed.
 */
export async function setSuspended(
  trx: Transaction<Tables>,
  { kind, id }: Pick<Subject, "kind" | "id">,
  since: Date | null,
): Promise<boolean> {
  const verb = since === null ? "restore" : "suspend";
  const what = { before: { suspended: since === null }, after: { suspended: since !== null } };
  if (kind === "workspace") {
    if (!(await setWorkspaceSuspended(trx, id, since))) return false;
    await announceChange(trx, id);
    if (since !== null) await queueClosing(trx, id);
    await recordOperatorAction(trx, {
      workspaceId: id,
      action: `workspace.${verb}`,
      resourceId: id,
      ...what,
    });
    return true;
  }
  if (!(await setPersonSuspended(trx, id, since))) return false;
  await recordOperatorAction(trx, { workspaceId: null, action: `person.${verb}`, resourceId: id, ...what });
  for (const { id: memberId, workspace_id: workspaceId } of await membershipsOf(trx, id)) {
    await recordOperatorAction(trx, { workspaceId, action: `member.${verb}`, resourceId: memberId, ...what });
  }
  return true;
}
