import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { startManagement } from "../../tests/management.ts";
import { watchPlans } from "../../tests/query-plans.ts";
import { removeUnusedUploads } from "./removal.ts";

const CREATIVES = 5_000;
const WORKSPACE = `ws_${"0".repeat(26)}`;
const [shown, proposed, unused] = ["a", "b", "c"].map((letter) => `${WORKSPACE}/${letter.repeat(32)}.png`);

const { services } = await startManagement();
const database = await createTestDatabase();
const { db, asked, fill, planOf, rowsRead } = watchPlans(database.pool, ["ads", "revisions"]);

it("reads only the creatives that name what is due, whatever a workspace has", async () => {
  await fill(`
    insert into workspaces (id, name, slug, currency) values ('${WORKSPACE}', 'Weekly', 'weekly', 'usd');
    insert into ads (id, workspace_id, subscription_id, name, website_url, meta)
      select 'ad_' || n, '${WORKSPACE}', 'sub_' || n, 'Many', 'https://example.com/',
        case n when 7 then '{"field": "https://ads.example/${shown}"}' else '{"field": "Some text"}' end::jsonb
      from generate_series(1, ${CREATIVES}) n;
    insert into revisions (workspace_id, ad_id, name, website_url, meta)
      select '${WORKSPACE}', 'ad_' || n, 'Many', 'https://example.com/',
        case n when 7 then '{"field": "https://ads.example/${proposed}"}' else '{"field": "Some text"}' end::jsonb
      from generate_series(1, ${CREATIVES}) n;
    insert into uploads (key, workspace_id, bytes, granted_at, due_at)
      select key, '${WORKSPACE}', 1, now() - interval '2 days', now() - interval '1 day'
      from unnest(array['${shown}', '${proposed}', '${unused}']) key`);

  await removeUnusedUploads({ ...services, db });

  const { rows } = await database.pool.query<{ key: string }>("select key from uploads order by key");
  expect(rows.map(({ key }) => key)).toEqual([shown, proposed]);
  const reading = asked.filter(({ sql }) => sql.includes("from ads"));
  expect(reading.length).toBeGreaterThan(0);
  for (const query of reading) {
    expect(await rowsRead(query), query.sql).toBeLessThan(10);
    const indexes = (await planOf(query)).flatMap((step) => step["Index Name"] ?? []);
    expect(indexes).toEqual(expect.arrayContaining(["ads_uploads", "revisions_uploads"]));
  }
});
