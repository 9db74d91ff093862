import { randomUUID } from "node:crypto";
import { expect, it, vi } from "vitest";
import { enqueue } from "../queue/enqueue.ts";
import { startManagement } from "../tests/management.ts";
import { aPublisher } from "../tests/story.ts";
import { unlockJobs } from "./jobs.ts";

const service = await startManagement();

it("takes up a job at once that a killed process had locked", async () => {
  const publisher = await aPublisher(service);
  const { pool } = service.database;
  await enqueue(
    service.services.db,
    "snapshot",
    { workspaceId: publisher.workspace.id },
    { afterMs: 3_600_000 },
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
