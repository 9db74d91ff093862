// Loaded before a program (`node --import`): its clock runs apart from the machine's by what the file CLOCK_SHIFT_FILE
// says, in milliseconds, and jumps when that changes. Timers are not touched, as they are not by a clock that is set.
import { readFileSync } from "node:fs";
import { processEnvironment } from "#libs/config/environment.ts";

const LOOK_EVERY_MS = 20;
const file = processEnvironment().CLOCK_SHIFT_FILE ?? "";
const realNow = Date.now;
let shift = 0;

function look(): void {
  try {
    shift = Number(readFileSync(file, "utf8")) || 0;
  } catch {
    // No file, no shift.
    shift = 0;
  }
}

const shiftedNow = () => realNow() + shift;

globalThis.Date = new Proxy(Date, {
  construct: (target, given, newTarget) =>
    Reflect.construct(target, given.length === 0 ? [shiftedNow()] : given, newTarget),
  apply: (target) => new target(shiftedNow()).toString(),
  get: (target, property) => (property === "now" ? shiftedNow : Reflect.get(target, property)),
});
look();
setInterval(look, LOOK_EVERY_MS).unref();
