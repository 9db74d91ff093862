import { Logger } from "graphile-worker";
import type pg from "pg";
import { pino } from "pino";
import { expect, it, onTestFinished, vi } from "vitest";
import { openDatabase } from "#libs/database/connection.ts";
import { createTestDatabase } from "#libs/database/testing.ts";
import { WorkerLiveness } from "./liveness.ts";
import { keepRunner } from "./runner.ts";

const database = await createTestDatabase();
const silent = pino({ level: "silent" });

/** Refuses the next connections, as a server does that was just killed. */
function breakOff(pool: pg.Pool): void {
  const connecting = vi.spyOn(pool, "connect");
  const error = Object.assign(new Error("terminating connection"), { code: "57P01" });
  for (let refused = 0; refused < 3; refused += 1) connecting.mockRejectedValueOnce(error);
}

it.each(["succeeded", "failed"])(
  "runs a job again whose process lost the database as it %s",
  async (outcome) => {
    const { pool, close } = openDatabase({ url: database.url });
    const liveness = new WorkerLiveness({ pool, logger: silent, checkEveryMs: 100 });
    await liveness.open();
    let runs = 0;
    const onEnd = vi.fn();
    const runner = await keepRunner(
      {
        pgPool: pool,
        noHandleSignals: true,
        crontab: "",
        logger: new Logger(() => () => {}),
        pollInterval: 50,
        taskList: {
          async broken() {
            runs += 1;
            if (runs > 1) return onEnd();
            breakOff(pool);
            if (outcome === "failed") throw new Error("also the job");
          },
        },
      },
      liveness,
      silent,
    );
    onTestFinished(async () => {
      await runner.stop();
      await liveness.close();
      await close();
    });

    await database.pool.query("select graphile_worker.add_job('broken')");

    await vi.waitFor(() => expect(onEnd).toHaveBeenCalled(), { timeout: 20_000 });
    await vi.waitFor(
      async () => {
        const { rows } = await database.pool.query("select id from graphile_worker._private_jobs");
        expect(rows).toEqual([]);
      },
      { timeout: 20_000 },
    );
  },
);
