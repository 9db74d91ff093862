import { parseCrontab } from "graphile-worker";
import { Registry } from "prom-client";
import { expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../tests/management.ts";
import { crontabOf, startJobs } from "./jobs.ts";

const service = await startManagement();
const { pool } = service.database;

/** When a schedule of the crontab fires within a day, as `hour:minute` in UTC. */
function timesOf(task: string): string[] {
  const item = parseCrontab(crontabOf("lengthy")).find((one) => one.task === task);
  const minutes = Array.from({ length: 24 * 60 }, (_value, minute) => minute);
  return minutes
    .map((minute) => ({ hour: Math.floor(minute / 60), min: minute % 60 }))
    .filter(({ hour, min }) => item?.match({ min, hour, date: 21, month: 11, dow: 6 }) === true)
    .map(({ hour, min }) => `${hour}:${min}`);
}

it("compares with the processor once an hour and sweeps once a day", () => {
  const hours = Array.from({ length: 24 }, (_value, hour) => `${hour}:27`);

  expect(timesOf("reconcile")).toEqual(hours);
  expect(timesOf("sweep")).toEqual(["3:17"]);
});

it.each(["grace-ends", "remind-of-ads"])("begins no pass of %s beside one that has not ended", (name) => {
  const item = parseCrontab(crontabOf("lengthy")).find(({ task }) => task === name);

  expect(item?.options).toMatchObject({ jobKey: name, queueName: name });
});

it("makes up at the start for what fell due while no process was running", async () => {
  const { services, placements } = service;
  const start = () => startJobs({ ...services, metrics: new Registry() }, pool, placements);
  const before = await start();
  await before.close();
  await pool.query(
    `update graphile_worker._private_known_crontabs
     set known_since = now() - interval '3 days', last_execution = now() - interval '2 days'
     where identifier in ('reconcile', 'sweep')`,
  );
  await pool.query(
    `insert into verifications (id, identifier, value, expires_at) values ('old', 'old', 'old', now() - interval '1 hour')`,
  );

  const started = await start();
  onTestFinished(() => started.close());

  await vi.waitFor(
    async () => {
      const runs = await pool.query("select 1 from reconciliations where finished_at is not null");
      expect(runs.rowCount).toBe(1);
      const old = await pool.query("select 1 from verifications where id = 'old'");
      expect(old.rowCount).toBe(0);
    },
    { timeout: 15_000, interval: 50 },
  );
});
