import type { Installation } from "./installation.ts";
import { seed } from "./random.ts";

/** The failure of a case with its seed and the last output of each program, to repeat and understand it. */
export function reportFailure(name: string, { programs }: Installation, error: unknown): Error {
  const said = programs.map((program) => `--- ${program.name}\n${program.output.slice(-3_000)}`);
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`${name} (FAULTS_SEED=${seed}):\n${reason}\n${said.join("\n")}`, { cause: error });
}
