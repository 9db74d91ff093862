import { expect, it } from "vitest";
import { createTestDatabase } from "#libs/database/testing.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { erasePerson } from "./erase-person.ts";

const OTHERS = 20_000;
const WORKSPACE = `ws_${"0".repeat(26)}`;
const PERSON = `usr_${"0".repeat(26)}`;

const database = await createTestDatabase();
const { db, asked, fill, planOf, scanned } = watchPlans(database.pool, ["audit_log"]);

it("reads what the audit log says about a deleted person, whatever others have done", async () => {
  await fill(`
    insert into workspaces (id, name, slug, currency) values ('${WORKSPACE}', 'Weekly', 'weekly', 'usd');
    insert into people (id, name, email) values ('${PERSON}', 'Ada Example', 'ada@example.com');
    insert into audit_log (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, before, after)
      select 'aud_' || lpad(to_hex(n), 26, '0'), '${WORKSPACE}', 'person', 'usr_' || n % 100, 'Grace Example', 'ad.update', 'ad', 'ad_' || n,
        '{"name": "Before"}', '{"name": "After"}'
      from generate_series(1, ${OTHERS}) n;
    insert into audit_log (id, workspace_id, actor_kind, actor_id, actor_name, action, resource_kind, resource_id, after)
      values ('aud_invited', '${WORKSPACE}', 'person', 'usr_1', 'Grace Example', 'invitation.create', 'invitation', 'inv_1',
        '{"email": "ada@example.com", "role": "Viewer"}'),
      ('aud_settings', '${WORKSPACE}', 'person', 'usr_1', 'Grace Example', 'settings.update', 'settings', '${WORKSPACE}',
        '{"contactEmail": "ada@example.com"}')`);

  await db.transaction().execute((trx) => erasePerson(trx, PERSON));

  const { rows } = await database.pool.query(
    "select id, after from audit_log where resource_kind <> 'ad' order by id",
  );
  expect(rows).toEqual([
    { id: "aud_invited", after: { email: "Deleted person", role: "Viewer" } },
    { id: "aud_settings", after: { contactEmail: "Deleted person" } },
  ]);
  const ofLog = asked.filter(({ sql }) => sql.includes("audit_log"));
  const read = await Promise.all(ofLog.map(async (query) => scanned(await planOf(query))));
  expect(read).toEqual(ofLog.map(() => []));
  expect(ofLog.length).toBeGreaterThan(3);
});
