import { aMember as aMemberWithId, anInvitation } from "./joining.ts";
import { billed, invoiceOf, webhooksApplied } from "./ledger-story.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aField, anApprovedAd, aPublisher, aTier } from "./story.ts";

export type Tenant = Awaited<ReturnType<typeof aTenant>>;

/** A publisher with something of every kind that a path can name, all of it named after `brand`. */
export async function aTenant(service: ManagementUnderTest, brand: string) {
  const publisher = await aPublisher(service, `${brand} Weekly`);
  const { caller, path, person, workspace } = publisher;
  const tier = await aTier(publisher, { name: `${brand} Gold`, description: `${brand} on every page` });
  const field = await aField(publisher, { name: `${brand} claim` });
  const running = await anApprovedAd(service, publisher);
  const rejected = await anApprovedAd(service, publisher);
  await caller.request("POST", `${rejected.path}/reject`, { note: `${brand} says no` });
  const invitation = await anInvitation(service, publisher, `${brand.toLowerCase()}@example.net`, "Viewer");
  const member = await aMemberWithId(service, publisher, "Viewer");
  const made = await person.caller.request("POST", `${path}/api-keys`, { name: `${brand} revoked` });
  const revoked = JSON.parse(made.text);
  await person.caller.request("DELETE", `${path}/api-keys/${revoked.id}`);
  const corrected = await caller.request("POST", `${running.path}/corrections`, {
    from: "2026-11-20",
    to: "2026-11-20",
    reason: `${brand} was crawled`,
  });
  await billed(service, workspace.id, 2);
  let proposed = 0;
  const tenant = {
    ...publisher,
    running,
    rejected,
    invitationToken: invitation.token,
    /** What the placeholders of paths stand for here. */
    ids: {
      workspaceId: workspace.id,
      adId: running.id,
      tierId: tier.id,
      priceId: tier.prices[0]?.id ?? "",
      fieldId: field.id,
      advertiserId: running.subscription.advertiser.id,
      // The rejected ad's subscription has ended.
      subscriptionId: rejected.subscription.id,
      invoiceId: await invoiceOf(service, running.subscription.advertiser.id),
      keyId: publisher.key.id,
      memberId: member.memberId,
      invitationId: invitation.id,
      correctionId: String(JSON.parse(corrected.text).id),
      sessionId: running.checkout.sessionId,
    } satisfies Record<string, string>,
    /** Has the ad's advertiser propose a revision, or replace the one that is open. */
    async proposeRevision() {
      proposed += 1;
      await running.checkout.caller.request("POST", `${running.checkout.path}/ad`, {
        name: `${brand} Roasters`,
        // What is live already opens no revision.
        websiteUrl: `https://${brand.toLowerCase()}.example/${proposed}`,
      });
    },
    /** A key that was good once. */
    revokedKey: String(revoked.key),
  };
  await tenant.proposeRevision();
  await webhooksApplied(service);
  return tenant;
}

/** Every text of a workspace's rows, as they are in the database, with the names and addresses of its people. */
export async function textsOf(service: ManagementUnderTest, workspaceId: string): Promise<Set<string>> {
  const texts = new Set<string>();
  const gather = (value: unknown): void => {
    if (typeof value === "string") texts.add(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(gather);
  };
  for (const table of await tenantTables(service)) gather(await rowsOf(service, table, workspaceId));
  const { rows } = await service.database.pool.query(
    "select to_jsonb(w) - 'currency' as of, p.name, p.email from workspaces w join members m on m.workspace_id = w.id join people p on p.id = m.person_id where w.id = $1",
    [workspaceId],
  );
  gather(rows);
  return texts;
}

/** All that a workspace has, in one text; when its keys were last used aside. */
export async function stateOf(service: ManagementUnderTest, workspaceId: string): Promise<string> {
  const parts: unknown[] = [];
  for (const table of await tenantTables(service)) {
    const rows = await rowsOf(service, table, workspaceId);
    parts.push([table, rows.map(({ last_used_at: _used, ...row }) => row)]);
  }
  return JSON.stringify(parts, null, 1);
}

/** The tables whose rows belong to a workspace. */
export async function tenantTables(service: ManagementUnderTest): Promise<string[]> {
  const { rows } = await service.database.pool.query<{ name: string }>(
    "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id' order by 1",
  );
  return rows.map(({ name }) => name);
}

async function rowsOf(
  service: ManagementUnderTest,
  table: string,
  workspaceId: string,
): Promise<Record<string, unknown>[]> {
  const { rows } = await service.database.pool.query<{ row: Record<string, unknown> }>(
    `select to_jsonb(t) as row from ${table} t where workspace_id = $1 order by t::text`,
    [workspaceId],
  );
  return rows.map(({ row }) => row);
}
