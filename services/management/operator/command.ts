import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** What a command works with. */
export interface OperatorContext {
  readonly db: Kysely<Tables>;
  readonly now: Date;
  /** Writes a line to standard output. */
  readonly say: (line: string) => void;
}

/** One thing that an operator can do. */
export interface OperatorCommand {
  /** What is typed behind the name: `<required>`, `[optional]`. The number of words is checked before `run`. */
  readonly parameters: readonly (`<${string}>` | `[${string}]`)[];
  /** What it does, in one line of the help. */
  readonly about: string;
  /** Throws `CommandError` with one sentence for the operator. */
  run(context: OperatorContext, given: readonly string[]): Promise<void>;
}
