import { z } from "zod";
import { setting } from "./setting.ts";
import { wholeNumber } from "./shapes.ts";

const LEAST_BYTES = 64 * 1024;
/** Above what makes a message late: an original that comes behind its repetition has to be known by that. */
const LEAST_QUARANTINE = 12;

/** Where events wait while the event log is away. */
export const spillSettings = {
  spillDir: setting(
    "SPILL_DIR",
    z.string().default("./data/spill"),
    "Folder on a local disk where serving keeps events that Kafka does not take, until it does. It has to outlive the process: acknowledged events are in it. Processes of one machine may share it. Default ./data/spill.",
  ),
  spillMaxBytes: setting(
    "SPILL_MAX_BYTES",
    wholeNumber.min(LEAST_BYTES, `must be ${LEAST_BYTES} or more`).default(1024 ** 3),
    "Bytes that each process may keep in SPILL_DIR; an event takes some 170. Beyond them tracking answers 503. Default 1073741824 (1 GiB, six million events).",
  ),
  spillQuarantineSeconds: setting(
    "SPILL_QUARANTINE_SECONDS",
    wholeNumber.min(LEAST_QUARANTINE, `must be ${LEAST_QUARANTINE} or more`).default(30),
    "How long events wait in SPILL_DIR that Kafka has not said whether it took, in seconds: a slow Kafka takes most of them yet, and they need not be sent again. Default 30.",
  ),
};
