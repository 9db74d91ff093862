import { beforeAll, expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { startManagement } from "../../tests/management.ts";
import { releaseUploads, removeUnusedUploads } from "./removal.ts";

const [many, other] = ["0", "1"].map((digit) => `ws_${digit.repeat(26)}`);
const [due, erased] = ["a", "b"].map((letter) => `${other}/${letter.repeat(32)}.png`);
/** More than one run removes. */
const MANY = 10_001;

const { services } = await startManagement();
const { db, pool } = await createTestDatabase();
const ports = { ...services, db };

beforeAll(async () => {
  await pool.query(`
    insert into workspaces (id, name, slug, currency)
      values ('${many}', 'Grants many', 'grants-many', 'usd'), ('${other}', 'Grants few', 'grants-few', 'usd');
    insert into uploads (key, workspace_id, bytes, granted_at, due_at)
      select '${many}/' || md5(n::text) || '.png', '${many}', 1, now() - interval '3 days', now() - interval '2 days'
      from generate_series(1, ${MANY}) n
      union all
      select '${due}', '${other}', 1, now() - interval '2 days', now() - interval '1 day'
      union all
      select '${erased}', '${other}', 1, now(), now() + interval '1 day'`);
});

async function isRecorded(key: string | undefined): Promise<boolean> {
  return (await pool.query("select from uploads where key = $1", [key])).rows.length > 0;
}

it("removes what was released at once, however much of others is due before it", async () => {
  await releaseUploads(ports, other ?? "", [erased ?? ""]);

  expect(await isRecorded(erased)).toBe(false);
});

it("goes on in further jobs until nothing is due", async () => {
  await removeUnusedUploads(ports);
  const { rows: queued } = await pool.query(
    "select 1 from graphile_worker.jobs where task_identifier = 'unused-uploads' and run_at <= now()",
  );
  expect([await isRecorded(due), queued]).toEqual([true, [expect.anything()]]);

  await removeUnusedUploads(ports);
  expect(await isRecorded(due)).toBe(false);
});
