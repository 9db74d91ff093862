import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { unlockJobs } from "../jobs/jobs.ts";
import { startManagement } from "./management.ts";
import { aPublisher } from "./story.ts";

const service = await startManagement();

it("takes up a job at once that a killed process had locked", async () => {
  const publisher = await aPublisher(service);
  const { pool } = service.database;
  await pool.query(
    "select graphile_worker.add_job('snapshot', $1::json, run_at => now() + interval '1 hour')",
    [JSON.stringify({ workspaceId: publisher.workspace.id })],
  );
  await pool.query(
    "update graphile_worker._private_jobs set locked_by = $1, locked_at = now(), run_at = now()",
    [randomUUID()],
  );

  await unlockJobs(pool);

  await vi.waitFor(async () => {
    const { rows } = await pool.query("select count(*)::int as waiting from graphile_worker._private_jobs");
    expect(rows[0].waiting).toBe(0);
  }, 10_000);
});
