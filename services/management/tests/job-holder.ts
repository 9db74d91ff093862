// A process of its own that takes a job and never finishes it, for a test to kill: says so on its output.
import { Logger } from "graphile-worker";
import { pino } from "pino";
import { openDatabase } from "#libs/database/connection.ts";
import { WorkerLiveness } from "../worker/liveness.ts";
import { keepRunner } from "../worker/runner.ts";

const [, , url = ""] = process.argv;
const { pool } = openDatabase({ url });
const logger = pino({ level: "silent" });
const liveness = new WorkerLiveness({ pool, logger });
await liveness.open();
await keepRunner(
  {
    pgPool: pool,
    noHandleSignals: true,
    crontab: "",
    logger: new Logger(() => () => {}),
    taskList: {
      held: async () => {
        process.stdout.write("holding\n");
        await new Promise(() => {});
      },
    },
  },
  liveness,
  logger,
);
