import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { submittedAd } from "#libs/contract/checkout.ts";
import { field } from "#libs/contract/fields.ts";
import { tier } from "#libs/contract/tiers.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { newId } from "#libs/domain/ids.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import { ApiCaller } from "./callers.ts";
import type { ManagementUnderTest } from "./management.ts";

let people = 0;

/** A person who has just signed up. */
export async function aPerson({ origin }: Pick<ManagementUnderTest, "origin">, name = "Ada Example") {
  people += 1;
  const email = `person-${people}@example.com`;
  const response = await fetch(`${origin}/api/auth/sign-up/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "correct horse battery", name }),
  });
  if (!response.ok) throw new Error(`sign-up answered ${response.status}: ${await response.text()}`);
  const cookie = response.headers
    .getSetCookie()
    .map((one) => one.split(";")[0])
    .join("; ");
  return { email, name, cookie, caller: new ApiCaller(origin, { cookie }) };
}

/** A publisher with a workspace and a key of an Owner; `path` is where the workspace's endpoints begin. */
export async function aPublisher(service: Pick<ManagementUnderTest, "origin">, name = "Example Weekly") {
  const person = await aPerson(service);
  const made = await person.caller.ok(workspace, "POST", "/v1/workspaces", { name });
  const path = `/v1/workspaces/${made.id}`;
  const key = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Integration" });
  return {
    person,
    workspace: made,
    path,
    key,
    caller: new ApiCaller(service.origin, { authorization: `Bearer ${key.key}` }),
  };
}

/** A person who has joined the publisher's workspace. */
export async function aMember(
  service: ManagementUnderTest,
  { workspace: joined }: Publisher,
  role: MemberRole,
) {
  const person = await aPerson(service, "Grace Example");
  const { db } = service.database;
  const row = await db
    .selectFrom("people")
    .where("email", "=", person.email)
    .select("id")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("members")
    .values({ id: newId("member"), workspace_id: joined.id, person_id: row.id, role })
    .execute();
  return person;
}

export type Publisher = Awaited<ReturnType<typeof aPublisher>>;

/** A tier on sale for 49 dollars a month. */
export async function aTier({ caller, path }: Publisher, changes: Record<string, unknown> = {}) {
  return await caller.ok(tier, "POST", `${path}/tiers`, {
    name: "Gold",
    weight: 3,
    initialPrices: [{ amount: 4900, intervalCount: 1, currency: "usd" }],
    ...changes,
  });
}

/** A field that advertisers may fill in with a line of text. */
export async function aField({ caller, path }: Publisher, changes: Record<string, unknown> = {}) {
  return await caller.ok(field, "POST", `${path}/fields`, { name: "Tagline", type: "Text", ...changes });
}

/** A checkout that has been paid in the sandbox, by an advertiser of its own. */
export async function aPaidCheckout(
  service: Pick<ManagementUnderTest, "origin">,
  publisher: Publisher,
  priceId: string,
  email = `advertiser-${crypto.randomUUID()}@example.com`,
  name = "Example Coffee",
) {
  const caller = new ApiCaller(service.origin);
  const session = await caller.ok(
    z.object({ url: z.string(), sessionId: z.string() }),
    "POST",
    `${publisher.path}/checkout-sessions`,
    { tierPriceId: priceId },
  );
  const paid = await caller.request("POST", `/sandbox/checkout/${session.sessionId}/complete`, {
    email,
    name,
  });
  if (paid.status !== 200) throw new Error(`paying answered ${paid.status}: ${paid.text}`);
  return { ...session, email, caller, path: `/v1/checkout-sessions/${session.sessionId}` };
}

type ServiceWithAds = Pick<ManagementUnderTest, "origin"> & Partial<Pick<ManagementUnderTest, "database">>;

/** Waits until the service has told the processor whether to charge, so that its calls meet no test's traps. Throws if it never does. */
export async function chargingSettles({ database }: ServiceWithAds): Promise<void> {
  if (database === undefined) return;
  const jobs = "from graphile_worker.jobs where task_identifier = 'settle-charging'";
  let errors: unknown[] = [];
  for (let attempt = 0; attempt < 1_500; attempt += 1) {
    const { rows } = await database.pool.query<{ last_error: string | null }>(`select last_error ${jobs}`);
    if (rows.length === 0) return;
    errors = rows.map(({ last_error }) => last_error);
    // One that met another change is tried again at once, not after its pause.
    await database.pool.query(
      `select graphile_worker.reschedule_jobs(array_agg(id), run_at := now()) ${jobs}
       and last_error like '%is under way%' and locked_at is null and run_at > now()`,
    );
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`The service has not told the processor whether to charge: ${errors.join("; ")}`);
}

/** An ad that was bought in a new tier and submitted; Pending. */
export async function aPendingAd(service: ServiceWithAds, publisher: Publisher) {
  const sold = await aTier(publisher);
  const checkout = await aPaidCheckout(service, publisher, sold.prices[0]?.id ?? "");
  const submitted = await checkout.caller.ok(submittedAd, "POST", `${checkout.path}/ad`, {
    name: "Example Coffee",
    websiteUrl: "https://coffee.example",
  });
  await chargingSettles(service);
  return { ...submitted, checkout, tier: sold, path: `${publisher.path}/ads/${submitted.id}` };
}

/** An ad that has been approved and is being served. */
export async function anApprovedAd(service: ServiceWithAds, publisher: Publisher) {
  const pending = await aPendingAd(service, publisher);
  const approved = await publisher.caller.ok(ad, "POST", `${pending.path}/approve`);
  await chargingSettles(service);
  return { ...pending, ...approved };
}

/** Ends the subscriptions of ads in this database alone, and for good: no message still on its way from the processor revives them. */
export async function endSubscriptions(
  { database }: Pick<ManagementUnderTest, "database">,
  adIds: readonly string[],
): Promise<void> {
  await database.pool.query(
    "update subscriptions set status = 'Canceled', sync_version = $2 where id in (select subscription_id from ads where id = any($1))",
    [adIds, Number.MAX_SAFE_INTEGER],
  );
}
