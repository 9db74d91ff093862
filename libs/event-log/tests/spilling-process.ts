import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { openSpill } from "../spill/spill.ts";
import { ControlledLog } from "./controlled-log.ts";
import { aBatch } from "./event-log-suite.ts";

/*
 * A process to be killed, or to be starved of disk: appends to a log that is away, and notes what was acknowledged.
 *
 *     node spilling-process.ts <folder> <file for the acknowledged names> <batches>
 */
const [folder, acknowledged, batches] = process.argv.slice(2);
if (folder === undefined || acknowledged === undefined)
  throw new Error("usage: spilling-process.ts <folder> <acknowledged> <batches>");
const APPENDERS = 4;
const log = new ControlledLog();
log.fate = "away";
const spill = await openSpill(log, { folder, onWarning: (message) => console.error(message) });
const notes = openSync(acknowledged, "a");
let appended = 0;

await Promise.all(Array.from({ length: APPENDERS }, append));
fsyncSync(notes);
closeSync(notes);
await spill.close();

async function append(): Promise<void> {
  while (appended < Number(batches)) {
    const name = `${process.pid}-${++appended}`;
    const isAcknowledged = await spill.append(aBatch(name, 1 + (appended % 20))).then(
      () => true,
      () => false,
    );
    if (isAcknowledged) writeSync(notes, `${name}\n`);
  }
}
