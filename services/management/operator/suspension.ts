import type { Transaction } from "kysely";
import type { Tables } from "#libs/database/tables.ts";
import { enqueue } from "../queue/enqueue.ts";
import { bumpSnapshotVersion } from "../snapshots/publish.ts";
import { CommandError } from "../start/command-line.ts";
import { type OperatorCommand, recordOperatorAction } from "./command.ts";
import { endSessions, markSuspended, membershipsOf } from "./queries.ts";
import { describeSubject, findSubject, type Subject } from "./subject.ts";

/** Suspends a person or a workspace until it is restored. Deletes nothing. */
export const suspend: OperatorCommand = {
  parameters: ["<person|workspace>"],
  about: "Person: cannot sign in, and their keys are refused. Workspace: nothing is served or sold.",
  async run({ db, now, say }, [named = ""]) {
    const subject = await findSubject(db, named);
    const { kind, id } = subject;
    const signedOut = await db.transaction().execute(async (trx) => {
      if (!(await setSuspended(trx, subject, now))) {
        throw new CommandError(`The ${describeSubject(subject)} is suspended already.`);
      }
      return kind === "person" ? await endSessions(trx, id) : 0;
    });
    say(`Suspended the ${describeSubject(subject)}.`);
    if (kind === "person") {
      say(`Ended ${signedOut} ${signedOut === 1 ? "session" : "sessions"}. Their keys are refused.`);
      say("Their workspaces are still served: suspend those separately.");
    } else {
      say("Nothing of it is served or sold. Running subscriptions are charged until they are canceled.");
    }
  },
};

/** Ends a suspension. */
export const restore: OperatorCommand = {
  parameters: ["<person|workspace>"],
  about: "Ends a suspension. Sessions that it ended stay ended.",
  async run({ db, say }, [named = ""]) {
    const subject = await findSubject(db, named);
    await db.transaction().execute(async (trx) => {
      if (!(await setSuspended(trx, subject, null))) {
        throw new CommandError(`The ${describeSubject(subject)} is not suspended.`);
      }
    });
    say(`Restored the ${describeSubject(subject)}.`);
  },
};

/**
 * Suspends a person or a workspace at `since`, or restores it (null), and records that in the audit log of each workspace
 * concerned; a person's also in that of the installation. A workspace's ads stop or resume within a second, and its open
 * checkouts are closed by a job. False if nothing changed.
 */
async function setSuspended(
  trx: Transaction<Tables>,
  { kind, id }: Pick<Subject, "kind" | "id">,
  since: Date | null,
): Promise<boolean> {
  const verb = since === null ? "restore" : "suspend";
  const what = { before: { suspended: since === null }, after: { suspended: since !== null } };
  if (!(await markSuspended(trx, kind === "workspace" ? "workspaces" : "people", id, since))) return false;
  if (kind === "workspace") {
    await bumpSnapshotVersion(trx, id);
    if (since !== null) await enqueue(trx, "close-checkouts", { workspaceId: id });
    await recordOperatorAction(trx, {
      workspaceId: id,
      action: `workspace.${verb}`,
      resourceId: id,
      ...what,
    });
    return true;
  }
  await recordOperatorAction(trx, { workspaceId: null, action: `person.${verb}`, resourceId: id, ...what });
  for (const { id: memberId, workspace_id: workspaceId } of await membershipsOf(trx, id)) {
    // The person's tracking keys leave the snapshot, or return to it.
    await bumpSnapshotVersion(trx, workspaceId);
    await recordOperatorAction(trx, { workspaceId, action: `member.${verb}`, resourceId: memberId, ...what });
  }
  return true;
}
