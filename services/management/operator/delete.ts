import { erasePerson } from "../privacy/erase-person.ts";
import { beginErasure, lockForErasure } from "../privacy/erase-workspace.ts";
import { CommandError } from "../start/command-line.ts";
import { type OperatorCommand, recordOperatorAction } from "./command.ts";
import { describeSubject, findSubject } from "./subject.ts";

const YES = "--yes";
const REFUND = "--refund";
const NO_REFUND = "--no-refund";

/** Deletes a person or a workspace, with the same rules as the API. */
export const deleteSubject: OperatorCommand = {
  parameters: ["<person|workspace>", `[${YES}]`, `[${REFUND}|${NO_REFUND}]`],
  about: `Deletes a person, or a workspace with all that is in it. Cannot be undone. Of a workspace, ${REFUND} gives advertisers back what is left of their payments.`,
  async run({ db, now, say }, [named = "", confirmation, refund]) {
    const subject = await findSubject(db, named);
    const described = describeSubject(subject);
    const { kind, id } = subject;
    if (confirmation !== YES) {
      throw new CommandError(`This deletes the ${described} permanently. To confirm, add ${YES}.`);
    }
    requireDecision(kind, refund);
    await db.transaction().execute(async (trx) => {
      if (kind === "person") {
        const ownerless = await erasePerson(trx, id);
        if (ownerless.length > 0) {
          const names = ownerless.map((name) => `"${name}"`).join(", ");
          throw new CommandError(
            `The ${described} is the only Owner of ${names}: delete these workspaces first.`,
          );
        }
      } else {
        const workspace = await lockForErasure(trx, id);
        if (workspace === undefined) throw new CommandError(`The ${described} is gone.`);
        await beginErasure(trx, workspace, now, refund === REFUND);
      }
      await recordOperatorAction(trx, { workspaceId: null, action: `${kind}.delete`, resourceId: id });
    });
    say(
      kind === "person"
        ? `Deleted the ${described}.`
        : `Nothing of the ${described} is served or sold any more.`,
    );
    if (kind === "workspace")
      say("The product cancels its subscriptions and removes the rest in the background.");
  },
};

/** As with the API, whoever deletes a workspace decides on its payments; a misspelt word decides nothing. */
function requireDecision(kind: "person" | "workspace", refund: string | undefined): void {
  if (kind === "person") {
    if (refund !== undefined) throw new CommandError(`A person has no payments: leave "${refund}" out.`);
  } else if (refund !== REFUND && refund !== NO_REFUND) {
    throw new CommandError(
      `Decide on what is left of the advertisers' payments: add ${REFUND} or ${NO_REFUND} after ${YES}.`,
    );
  }
}
