import { expect, it } from "vitest";
import { pageOf } from "#libs/contract/query.ts";
import { tier } from "#libs/contract/tiers.ts";
import { ApiCaller } from "../../tests/callers.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier } from "../../tests/story.ts";

const service = await startManagement({ unlimited: true });
const { pool } = service.database;

it("keeps no other request waiting while many checkouts wait for their workspace", async () => {
  const publisher = await aPublisher(service);
  const neighbour = await aPublisher(service, "Magpie Weekly");
  const { prices } = await aTier(publisher);
  const anybody = new ApiCaller(service.origin);
  const buy = () =>
    anybody.request("POST", `${publisher.path}/checkout-sessions`, { tierPriceId: prices[0]?.id });
  const deletion = await pool.connect();
  await deletion.query("begin");
  await deletion.query("select from workspaces where id = $1 for update", [publisher.workspace.id]);

  const checkouts = Promise.all(Array.from({ length: 60 }, buy));
  await expect
    .poll(async () => {
      const { rows } = await deletion.query(
        "select count(*)::int as waiting from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
      );
      return rows[0]?.waiting;
    })
    .toBeGreaterThan(0);
  const meanwhile = await neighbour.caller.ok(pageOf(tier), "GET", `${neighbour.path}/tiers`);
  await deletion.query("rollback");
  deletion.release();

  expect(meanwhile.items).toEqual([]);
  expect(new Set((await checkouts).map(({ status }) => status))).toEqual(new Set([200]));
});
