import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { announceChange } from "../serving-feed/version.ts";
import { membershipsOf, setPersonSuspended, setWorkspaceSuspended } from "./queries.ts";
import { recordDeed } from "./record.ts";
import type { Subject } from "./subject.ts";

/**
 * Suspends a person or a workspace (`since` is when), or restores it (null), and writes that to the audit log: to that of
 * each workspace concerned, and a person's to the installation's as well. Serving is told of a workspace within a second.
 * False where it is so already.
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
    await recordDeed(trx, { workspaceId: id, action: `workspace.${verb}`, resourceId: id, ...what });
    return true;
  }
  if (!(await setPersonSuspended(trx, id, since))) return false;
  await recordDeed(trx, { workspaceId: null, action: `person.${verb}`, resourceId: id, ...what });
  for (const { id: memberId, workspace_id: workspaceId } of await membershipsOf(trx, id)) {
    await recordDeed(trx, { workspaceId, action: `member.${verb}`, resourceId: memberId, ...what });
  }
  return true;
}
