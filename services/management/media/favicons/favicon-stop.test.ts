import { Registry } from "prom-client";
import { expect, it, vi } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { newId } from "#libs/domain/ids.ts";
import { enqueue } from "../../queue/enqueue.ts";
import { startManagement } from "../../tests/management.ts";
import { startJobs } from "../../worker/jobs.ts";

const service = await startManagement();
const { db, pool } = await createTestDatabase();

it("abandons a search when the jobs stop, and leaves it for the next process to do at once", async () => {
  const asked = Promise.withResolvers<void>();
  const workspaceId = newId("workspace");
  await db
    .insertInto("workspaces")
    .values({
      id: workspaceId,
      name: "Example Weekly",
      slug: "example-weekly",
      currency: "usd",
      website_url: "https://slow.example",
    })
    .execute();
  const warnings: string[] = [];
  const logger = service.services.logger.child({});
  logger.warn = (...given: unknown[]) => void warnings.push(String(given));
  const jobs = await startJobs(
    {
      ...service.services,
      db,
      logger,
      metrics: new Registry(),
      favicons: {
        find: async (_page, signal) => {
          const { promise, reject } = Promise.withResolvers<never>();
          signal.addEventListener("abort", () => reject(signal.reason));
          asked.resolve();
          return await promise;
        },
      },
    },
    pool,
    service.placements,
  );

  await db.transaction().execute((trx) => enqueue(trx, "favicon", { workspaceId, adId: null, attempt: 1 }));
  await asked.promise;
  await jobs.close();

  // What the worker has done is written down a moment after it has stopped.
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      "select attempts, last_error, locked_at, run_at <= now() as due from graphile_worker.jobs where task_identifier = 'favicon'",
    );
    expect(rows).toEqual([{ attempts: 0, last_error: null, locked_at: null, due: true }]);
  }, 20_000);
  expect(warnings).toEqual([]);
});
