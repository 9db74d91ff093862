import { appendFile, readFile } from "node:fs/promises";
import { z } from "zod";
import { processEnvironment } from "#libs/config/environment.ts";

/** What a fault did, as measured. */
const faultResult = z.object({
  fault: z.string(),
  /** Events answered with `success: true`. */
  acknowledged: z.number(),
  /** Of those, how many are not in ClickHouse. */
  missing: z.number(),
  /** Events that are in ClickHouse more often than once. */
  doubled: z.number(),
  /** Events that were sent to two processes during the fault. `recognized` of them are stored as one that counts and one duplicate. */
  twins: z.number(),
  recognized: z.number(),
  /** Events sent per second, over the whole case. */
  perSecond: z.number(),
  /** How long the fault lasted, in seconds. */
  lasted: z.number(),
  /** From the end of the fault until all was well, in seconds. */
  recovered: z.number(),
  /** Share of successful requests among those sent from the beginning of the fault until recovery. */
  tracking: z.number(),
  serving: z.number(),
});
export type FaultResult = z.infer<typeof faultResult>;

/** Adds a line to the file that `FAULTS_RESULTS` names; nothing where it names none. */
export async function keepResult(result: FaultResult): Promise<void> {
  const file = processEnvironment().FAULTS_RESULTS;
  if (file !== undefined && file !== "") await appendFile(file, `${JSON.stringify(result)}\n`);
}

export async function readResults(file: string): Promise<FaultResult[]> {
  const lines = (await readFile(file, "utf8")).trim().split("\n");
  return lines.map((line) => faultResult.parse(JSON.parse(line)));
}
