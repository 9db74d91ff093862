import { CommandError } from "../start/command-line.ts";
import type { OperatorCommand } from "./command.ts";
import { endSessions } from "./queries.ts";
import { describeSubject, findSubject } from "./subject.ts";
import { setSuspended } from "./suspension.ts";

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
      say("Their workspaces are still served: suspend those by themselves.");
    } else {
      say("Nothing of it is served or sold. Subscriptions that run are charged until they are canceled.");
    }
  },
};
