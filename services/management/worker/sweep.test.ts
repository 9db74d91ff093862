import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { forgetOldAnswers } from "../api/idempotency/claims.ts";
import { startManagement } from "../tests/management.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { aLogoCampaign } from "../tests/upload-story.ts";
import { sweep } from "./sweep.ts";

const DAY_MS = 24 * 60 * 60_000;
const service = await startManagement({ unlimited: true });
const { services, database } = service;

it("removes unused files although another step fails, and fails so that it is repeated", async () => {
  const { key } = await (await aLogoCampaign(service)).upload();
  await database.pool.query(`
    create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
    create trigger refuse before delete on favicon_lookups execute function refuse()`);

  const sweeping = sweep({ ...services, now: () => Date.now() + DAY_MS });

  await expect(sweeping).rejects.toThrow("not today");
  expect(await services.uploads.find(key)).toBeNull();
});

it("forgets kept answers some thousands at a time", async () => {
  const filled = await createTestDatabase();
  const { db, asked, fill } = watchPlans(filled.pool, ["idempotency_keys"]);
  await fill(`
    insert into idempotency_keys (caller, key, request_hash, status, body, created_at)
      select 'ws/' || n, n::text, sha256('request'), 200, '{}', now() - case n when 1 then interval '0' else interval '2 days' end
      from generate_series(1, 10001) n`);

  await forgetOldAnswers(db, new Date());

  const { rows } = await filled.pool.query("select key from idempotency_keys");
  expect(rows).toEqual([{ key: "1" }]);
  expect(asked.length).toBeGreaterThanOrEqual(2);
});
