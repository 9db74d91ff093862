import type { Installation } from "./installation.ts";
import { seed } from "./random.ts";

/** The failure of a case with what is needed to repeat and to understand it: the seed, and what each part said last. */
export function toldFailure(name: string, { programs }: Installation, error: unknown): Error {
  const said = programs.map((program) => `--- ${program.name}\n${program.output.slice(-3_000)}`);
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`${name} (FAULTS_SEED=${seed}):\n${reason}\n${said.join("\n")}`, { cause: error });
}
