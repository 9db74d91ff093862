import { CommandError } from "../start/command-line.ts";
import type { OperatorCommand } from "./command.ts";
import { describeSubject, findSubject } from "./subject.ts";
import { setSuspended } from "./suspension.ts";

/** Ends a suspension. */
export const restore: OperatorCommand = {
  parameters: ["<person|workspace>"],
  about: "Ends a suspension: everything is as before, but sessions that it ended.",
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
