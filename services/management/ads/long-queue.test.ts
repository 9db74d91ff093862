import { expect, it } from "vitest";
import { forWorkspace } from "#libs/database/for-workspace.ts";
import { createTestDatabase } from "#libs/database/testing.ts";
import { ADS, SHORT, workspaceOf } from "../tests/many-ads.ts";
import { watchPlans } from "../tests/query-plans.ts";
import { readReviewQueue } from "./review-queue.ts";

const WORKSPACE = `ws_${"0".repeat(26)}`;
const TABLES = ["advertisers", "subscriptions", "ads", "tiers", "prices", "revisions"];
const { db, asked, fill, rowsHandled } = watchPlans((await createTestDatabase()).pool, TABLES);

/**
 * The states of each five ads: one waits for the publisher and one for its advertiser, one has ended, and two have edits, of which one
 * waits for the publisher and one for its advertiser.
 */
const STATES = `
  update ads set rejection_note = 'Clearer, please' where right(name, 1) in ('1', '6');
  update subscriptions set status = 'Canceled'
    from ads where ads.subscription_id = subscriptions.id and right(ads.name, 1) in ('2', '7');
  update ads set status = 'Approved' where right(name, 1) in ('3', '4', '8', '9');
  insert into revisions (ad_id, workspace_id, name, website_url, note)
    select id, workspace_id, name, website_url, case when right(name, 1) in ('4', '9') then 'Clearer, please' end
    from ads where status = 'Approved';`;

it.each([ADS, 500])("has all that waits of %i ads once, by a few rows for each", async (ads) => {
  await fill(`${workspaceOf(ADS, SHORT)} delete from ads where substr(name, 4)::int >= ${ads}; ${STATES}`);
  const scoped = forWorkspace(db, WORKSPACE);
  asked.length = 0;
  const read = async (filter: Parameters<typeof readReviewQueue>[2]) => {
    const { counts, envelope, rows } = await readReviewQueue(scoped, WORKSPACE, filter);
    return { counts, total: envelope.total, names: rows.map(({ name }) => name) };
  };
  const inFive = (last: readonly string[]) => new RegExp(`[${last.join("")}]$`);

  const all = await read({ page: 1, perPage: 100 });
  const pending = await read({ page: 1, perPage: 100, kind: "ad" });
  const edited = await read({ page: 1, perPage: 100, kind: "revision" });

  const counts = { ads: ads / 5, revisions: ads / 5 };
  expect([all.counts, all.total]).toEqual([counts, (2 * ads) / 5]);
  expect([pending.total, edited.total]).toEqual([ads / 5, ads / 5]);
  expect(pending.names.every((name) => inFive(["0", "5"]).test(name))).toBe(true);
  expect(edited.names.every((name) => inFive(["3", "8"]).test(name))).toBe(true);
  expect(all.names.every((name) => inFive(["0", "5", "3", "8"]).test(name))).toBe(true);
  for (const query of asked.filter(({ sql }) => sql.startsWith("select")))
    expect(await rowsHandled(query), query.sql).toBeLessThan(30 * ADS);
  await fill(
    "delete from workspaces; delete from advertisers; delete from subscriptions; delete from ads; delete from revisions; delete from tiers; delete from prices;",
  );
});
