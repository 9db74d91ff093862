import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { EventLogError } from "../errors.ts";

/** The ending of files in which earlier releases kept events that they could not judge before appending them. */
export const UNJUDGED_ENDING = ".unjudged";

/** Throws `EventLogError` `DAMAGED` if an earlier release has left events that this one cannot judge in the spill's folder. */
export function refuseEarlierFiles(folder: string): void {
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\d+$/.test(entry.name))
    .flatMap(({ name }) => readdirSync(join(folder, name)).map((file) => join(folder, name, file)))
    .filter((file) => file.endsWith(UNJUDGED_ENDING) && statSync(file).size > 0);
  if (files.length === 0) return;
  throw new EventLogError(
    "DAMAGED",
    `The spill has acknowledged events that the release before has not judged yet, in ${files.join(", ")}. Start that release again, with Redis and Kafka there, wait until its placard_spill_batches is 0, and then start this one.`,
  );
}
