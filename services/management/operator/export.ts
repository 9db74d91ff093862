import { streamExport } from "../privacy/export.ts";
import type { OperatorCommand } from "./command.ts";
import { findSubject } from "./subject.ts";

/** Writes everything that is stored about a person or for a workspace, as they can download it themselves. */
export const exportSubject: OperatorCommand = {
  parameters: ["<person|workspace>"],
  about: "Writes all that is stored about a person or for a workspace, as JSON.",
  async run({ db, now, say }, [named = ""]) {
    const { kind, id } = await findSubject(db, named);
    const decoder = new TextDecoder();
    // Each part ends between two tokens, where a line may.
    for await (const part of streamExport(db, { kind, id }, { exportedAt: now.toISOString() })) {
      say(decoder.decode(part));
    }
  },
};
