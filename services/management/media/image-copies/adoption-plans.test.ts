import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { startManagement } from "../../tests/management.ts";
import { watchPlans } from "../../tests/query-plans.ts";
import { adoptImages } from "./adopt.ts";

const CREATIVES = 2_000;
/** The most rows that one statement may read. */
const MOST_READ = 500;
const WORKSPACE = `ws_${"0".repeat(26)}`;

const { services } = await startManagement();
const database = await createTestDatabase();
const { db, asked, fill, rowsRead } = watchPlans(database.pool, ["ads"]);

it("reads a few creatives at a time, however many have no image for as many fields", async () => {
  await fill(`
    insert into workspaces (id, name, slug, currency) values ('${WORKSPACE}', 'Weekly', 'weekly', 'usd');
    insert into fields (id, workspace_id, key, name, type, "order")
      select 'field_' || n, '${WORKSPACE}', 'image_' || n, 'Image', 'Image', n from generate_series(1, 200) n;
    insert into ads (id, workspace_id, subscription_id, name, website_url, meta)
      select 'ad_' || n, '${WORKSPACE}', 'sub_' || n, 'Many', 'https://example.com/', '{"field": "Some text"}'
      from generate_series(1, ${CREATIVES}) n`);

  await adoptImages({ ...services, db });

  const reading = asked.filter(({ sql }) => sql.includes("jsonb_each") || sql.includes("fields"));
  expect(reading.length).toBeGreaterThan(0);
  for (const query of reading) expect(await rowsRead(query), query.sql).toBeLessThanOrEqual(MOST_READ);
});
