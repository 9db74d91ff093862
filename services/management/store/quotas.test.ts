import { expect, it } from "vitest";
import { COUNT_LIMITS } from "#libs/domain/limits.ts";
import { anInvitation } from "../tests/joining.ts";
import { startManagement } from "../tests/management.ts";
import { anApprovedAd, aPerson, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
const owner = publisher.person.caller;
const { path } = publisher;
const workspaceId = publisher.workspace.id;
const sold = await aTier(publisher);
const running = await anApprovedAd(service, publisher);

/** Puts rows of a table there without the interface, until `most` but one of them are the workspace's. */
async function fillUp(table: string, columns: string, values: string, most: number): Promise<void> {
  await service.database.pool.query(
    `insert into ${table} (id, workspace_id, ${columns})
     select '${table}_' || n, $1, ${values} from generate_series(1, $2 - 1 -
       (select count(*)::int from ${table} where workspace_id = $1)) n`,
    [workspaceId, most],
  );
}

/** What two requests at once are answered where there is room for one of them. */
async function race(send: (nth: 1 | 2) => Promise<{ status: number; text: string }>) {
  const answers = await Promise.all([send(1), send(2)]);
  return answers.toSorted((one, other) => one.status - other.status);
}

it.each([
  {
    what: "tiers",
    fill: () => fillUp("tiers", `name, weight, "order"`, "'Old', 1, n", COUNT_LIMITS.tiers.most),
    at: `${path}/tiers`,
    body: { name: "Gold", weight: 3, initialPrices: [{ amount: 100, intervalCount: 1, currency: "usd" }] },
  },
  {
    what: "prices",
    fill: () =>
      fillUp(
        "prices",
        "tier_id, interval, interval_count, amount, currency, is_active",
        `'${sold.id}', 'Month', 1, 1, 'usd', false`,
        // The two other tiers have one each, in the workspace and out of this tier.
        COUNT_LIMITS.prices.most + 2,
      ),
    at: `${path}/tiers/${sold.id}/prices`,
    body: { amount: 100, intervalCount: 2, currency: "usd" },
    other: { intervalCount: 3 },
  },
  {
    what: "fields",
    fill: () =>
      fillUp("fields", `key, name, type, "order"`, "'key_' || n, 'Old', 'Text', n", COUNT_LIMITS.fields.most),
    at: `${path}/fields`,
    body: { name: "Tagline", type: "Text" },
  },
  {
    what: "apiKeys",
    fill: () =>
      fillUp(
        "api_keys",
        "member_id, name, prefix, hash",
        `(select id from members where workspace_id = $1 limit 1), 'Old', 'plc_', sha256(n::text::bytea)`,
        COUNT_LIMITS.apiKeys.most,
      ),
    at: `${path}/api-keys`,
    body: { name: "One more" },
  },
  {
    what: "trackingKeys",
    fill: () =>
      service.database.pool.query(
        `insert into api_keys (id, workspace_id, member_id, name, kind, prefix, hash)
         select 'tracking_key_' || n, $1, (select id from members where workspace_id = $1 limit 1), 'Old',
           'tracking', 'plt_', sha256(('t' || n)::bytea) from generate_series(1, $2 - 1) n`,
        [workspaceId, COUNT_LIMITS.trackingKeys.most],
      ),
    at: `${path}/tracking-keys`,
    body: { name: "One more" },
  },
  {
    what: "invitations",
    fill: () =>
      fillUp(
        "invitations",
        "email, role, token_hash, expires_at",
        "n || '@example.com', 'Viewer', sha256(n::text::bytea), now() + interval '1 day'",
        COUNT_LIMITS.invitations.most,
      ),
    at: `${path}/invitations`,
    body: { email: "one@example.com", role: "Viewer" },
    other: { email: "other@example.com" },
  },
  {
    what: "corrections",
    fill: () =>
      fillUp(
        "corrections",
        "ad_id, first_day, last_day, reason, status",
        `'${running.id}', '2026-11-20', '2026-11-20', 'Old', 'Applied'`,
        COUNT_LIMITS.corrections.most,
      ),
    at: `${running.path}/corrections`,
    body: { from: "2026-11-21", to: "2026-11-21", reason: "A crawler." },
  },
] as const)("takes no more $what than the limit, also from two at once (409)", async (one) => {
  await one.fill();

  const answers = await race((nth) =>
    owner.request("POST", one.at, nth === 2 && "other" in one ? { ...one.body, ...one.other } : one.body),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  expect(answers[1]?.text).toContain(COUNT_LIMITS[one.what].sentence);
});

it("invites the same address again when no further one may be invited", async () => {
  const { status } = await owner.request("POST", `${path}/invitations`, {
    email: "1@example.com",
    role: "Manager",
  });

  expect(status).toBe(200);
});

it("lets the last seat be taken once, and the invitation of who came late stand", async () => {
  const other = await aPublisher(service, "Full Weekly");
  const guests = [await aPerson(service), await aPerson(service)] as const;
  const tokens = [
    (await anInvitation(service, other, guests[0].email, "Viewer")).token,
    (await anInvitation(service, other, guests[1].email, "Viewer")).token,
  ] as const;
  await service.database.pool.query(
    `with seated as (insert into people (id, name, email, email_verified)
       select 'seated_' || n, 'Seated', 'seated-' || n || '@example.com', true from generate_series(1, $2::int) n returning id)
     insert into members (id, workspace_id, person_id, role) select 'mem_' || id, $1, id, 'Viewer' from seated`,
    [other.workspace.id, COUNT_LIMITS.members.most - 2],
  );

  const answers = await race(
    (nth) =>
      guests[nth - 1]?.caller.request("POST", "/v1/invitations/accept", { token: tokens[nth - 1] }) ??
      Promise.reject(new Error("no such guest")),
  );

  expect(answers.map(({ status }) => status)).toEqual([200, 409]);
  expect(answers[1]?.text).toContain(COUNT_LIMITS.members.sentence);
  const { rows } = await service.database.pool.query(
    "select count(*)::int as open from invitations where workspace_id = $1",
    [other.workspace.id],
  );
  expect(rows).toEqual([{ open: 1 }]);
});
