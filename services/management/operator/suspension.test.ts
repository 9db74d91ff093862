import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ad } from "#libs/contract/ad.ts";
import { auditEntry } from "#libs/contract/audit.ts";
import { pageOf } from "#libs/contract/query.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import { ApiCaller } from "../tests/callers.ts";
import { startManagement } from "../tests/management.ts";
import { runProgram } from "../tests/operator-commands.ts";
import { aMember, anApprovedAd, aPaidCheckout, aPerson, aPublisher, aTier } from "../tests/story.ts";

/** The operator's command is a program of its own, and a busy machine takes seconds to start one. */
const STARTS_PROGRAMS_MS = 120_000;
const WAITING_FOR_A_LOCK =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
const service = await startManagement({ unlimited: true });
const { origin, placements, database } = service;
const anybody = new ApiCaller(origin);

/** As on a split installation, where the command finds the database by its address. */
function operator(...given: string[]) {
  return runProgram("operator", { DATABASE_URL: database.url }, ...given);
}

async function done(...given: string[]): Promise<string> {
  const { failed, stdout, stderr } = await operator(...given);
  if (failed) throw new Error(`operator ${given.join(" ")} failed: ${stderr}`);
  return stdout;
}

function signIn(email: string) {
  return anybody.request("POST", "/api/auth/sign-in/email", { email, password: "correct horse battery" });
}

it(
  "shuts a suspended person out: no sign-in, no session, no key; and lets a restored one in again",
  async () => {
    const publisher = await aPublisher(service);
    const { person, caller, path } = publisher;

    const said = await done("suspend", person.email);
    const session = await person.caller.refused(401, "GET", path);
    const ownEndpoints = await person.caller.request("GET", "/api/auth/get-session");
    const key = await caller.refused(401, "GET", `${path}/ads`);
    const refused = await signIn(person.email);
    const wrongPassword = await anybody.request("POST", "/api/auth/sign-in/email", {
      email: person.email,
      password: "not the password",
    });
    await done("restore", person.email);
    const again = await signIn(person.email);

    expect(said).toContain("Ended 1 session.");
    expect([session.code, key.code]).toEqual(["UNAUTHORIZED", "UNAUTHORIZED"]);
    expect(ownEndpoints.text).toBe("null");
    expect([refused.status, JSON.parse(refused.text).code]).toEqual([403, "ACCOUNT_SUSPENDED"]);
    expect(JSON.parse(wrongPassword.text).code).toBe("INVALID_EMAIL_OR_PASSWORD");
    expect(again.status).toBe(200);
    await caller.ok(workspace, "GET", path);
  },
  STARTS_PROGRAMS_MS,
);

it(
  "answers members and keys of a suspended workspace 403 with the reason, wherever they ask",
  async () => {
    const publisher = await aPublisher(service);
    const { person, caller, path } = publisher;
    const viewer = await aMember(service, publisher, "Viewer");

    await done("suspend", publisher.workspace.id);
    const reads = await Promise.all(
      [person.caller, caller, viewer.caller].map((one) => one.refused(403, "GET", path)),
    );
    const write = await person.caller.refused(403, "PATCH", path, { name: "Another name" });
    const elsewhere = await person.caller.request("GET", "/v1/workspaces");
    await done("restore", publisher.workspace.id);
    const restored = await caller.ok(workspace, "GET", path);

    const sentence = "This workspace is suspended. Ask the operator of this installation.";
    expect([...reads, write].map(({ message }) => message)).toEqual(Array(4).fill(sentence));
    expect(elsewhere.status).toBe(200);
    expect(restored.name).toBe(publisher.workspace.name);
  },
  STARTS_PROGRAMS_MS,
);

it(
  "serves and sells nothing of a suspended workspace, and all of it after the restoration",
  async () => {
    const publisher = await aPublisher(service);
    const { workspace: site, path } = publisher;
    const sold = await anApprovedAd(service, publisher);
    const later = await aTier(publisher);
    const priceId = later.prices[0]?.id ?? "";
    const snapshot = async () => await placements.read(site.id);
    await expect.poll(async () => (await snapshot())?.tiers.map(({ id }) => id)).toContain(later.id);
    const before = await snapshot();

    await done("suspend", site.slug);
    await expect.poll(async () => (await snapshot())?.tiers).toEqual([]);
    const meanwhile = await snapshot();
    const checkout = await anybody.refused(409, "POST", `${path}/checkout-sessions`, {
      tierPriceId: priceId,
    });
    const page = await anybody.request("GET", `/advertise/${site.slug}`);
    const submitted = await anybody.request("POST", `/advertise/${site.slug}`, `tierPriceId=${priceId}`, {
      "content-type": "application/x-www-form-urlencoded",
    });
    await done("restore", site.slug);
    await expect.poll(async () => (await snapshot())?.tiers).toEqual(before?.tiers);

    const [ended] = meanwhile?.ads ?? [];
    expect(ended?.id).toBe(sold.id);
    expect(ended?.servingUntil).toBeLessThanOrEqual(Date.now());
    expect(checkout.data?.formErrors).toEqual(["Placements of this publisher are not available at present."]);
    expect([page.status, submitted.status]).toEqual([409, 409]);
    expect(page.text).toContain("Placements of this publisher are not available at present.");
    expect(page.text).not.toContain(later.name);
    expect((await snapshot())?.ads).toEqual(before?.ads);
    await aPaidCheckout(service, publisher, priceId);
    await publisher.caller.ok(ad, "GET", sold.path);
  },
  STARTS_PROGRAMS_MS,
);

it(
  "lets nobody pay in a checkout that was open when its workspace was suspended",
  async () => {
    const publisher = await aPublisher(service);
    const { prices } = await aTier(publisher);
    const { sessionId } = await anybody.ok(
      z.object({ url: z.string(), sessionId: z.string() }),
      "POST",
      `${publisher.path}/checkout-sessions`,
      { tierPriceId: prices[0]?.id },
    );
    const statusOf = async () =>
      JSON.parse((await anybody.request("GET", `/v1/checkout-sessions/${sessionId}`)).text).status;

    const before = await statusOf();
    await done("suspend", publisher.workspace.id);
    await expect.poll(statusOf).toBe("expired");
    const paid = await anybody.request("POST", `/sandbox/checkout/${sessionId}/complete`, {
      email: "late@example.com",
      name: "Late",
    });

    expect(before).toBe("open");
    expect(paid.status).toBe(400);
    expect(await statusOf()).toBe("expired");
  },
  STARTS_PROGRAMS_MS,
);

it("sells nothing in a checkout that is being opened while its workspace is suspended", async () => {
  const publisher = await aPublisher(service);
  const { prices } = await aTier(publisher);
  const suspending = await database.pool.connect();
  onTestFinished(() => suspending.release(true));

  await suspending.query("begin");
  await suspending.query("update workspaces set suspended_at = now() where id = $1", [
    publisher.workspace.id,
  ]);
  const opening = anybody.refused(409, "POST", `${publisher.path}/checkout-sessions`, {
    tierPriceId: prices[0]?.id,
  });
  await expect
    .poll(async () => (await database.pool.query(WAITING_FOR_A_LOCK)).rowCount, { timeout: 20_000 })
    .toBe(1);
  await suspending.query("commit");
  const { data } = await opening;

  const statuses = async () =>
    (
      await database.pool.query("select status from checkout_sessions where workspace_id = $1", [
        publisher.workspace.id,
      ])
    ).rows;
  expect(data?.formErrors).toEqual(["Placements of this publisher are not available at present."]);
  await expect.poll(statuses).toEqual([{ status: "expired" }]);
});

it(
  "writes what the operator did to the audit log of each workspace concerned, and to the installation's",
  async () => {
    const publisher = await aPublisher(service);
    const { person, path, workspace: site } = publisher;

    await done("suspend", person.email);
    await done("restore", person.email);
    await done("suspend", site.id);
    await done("restore", site.id);

    const { items } = await publisher.caller.ok(pageOf(auditEntry), "GET", `${path}/audit-log?perPage=4`);
    const { rows } = await database.pool.query(
      `select action, before, after from audit_log where workspace_id is null and actor_kind = 'operator'
     and resource_id = (select id from people where email = $1) order by id`,
      [person.email],
    );
    const suspended = { before: { suspended: false }, after: { suspended: true } };
    const restored = { before: { suspended: true }, after: { suspended: false } };
    expect(
      items.map(({ actor, action, before, after }) => ({ who: actor.kind, action, before, after })),
    ).toEqual([
      { who: "operator", action: "workspace.restore", ...restored },
      { who: "operator", action: "workspace.suspend", ...suspended },
      { who: "operator", action: "member.restore", ...restored },
      { who: "operator", action: "member.suspend", ...suspended },
    ]);
    expect(rows).toEqual([
      { action: "person.suspend", ...suspended },
      { action: "person.restore", ...restored },
    ]);
  },
  STARTS_PROGRAMS_MS,
);

it(
  "lists people and workspaces with what they have, and finds them by a part of their names",
  async () => {
    const publisher = await aPublisher(service, "Gardening 100% Weekly");
    await aTier(publisher);
    const other = await aPerson(service);
    const { id, slug } = publisher.workspace;
    await done("suspend", id);

    const found = await done("list", "100%");
    const byAddress = await done("list", other.email.toUpperCase());
    const all = await done("list");

    expect(found).toMatch(
      new RegExp(
        `^0 people\n\n1 workspace\n {2}${id} {2}${slug} {2}since \\S+ {2}1 member {2}0 ads {2}0 subscriptions {2}SUSPENDED since \\S+\n$`,
      ),
    );
    expect(byAddress).toMatch(
      /^1 person\n {2}usr_\w{26} {2}person-\d+@example\.com {2}since \S+ {2}0 workspaces\n/,
    );
    for (const one of [publisher.person.email, other.email, slug]) expect(all).toContain(one);
  },
  STARTS_PROGRAMS_MS,
);

it(
  "says what to do where it was told something wrong, and changes nothing",
  async () => {
    const person = await aPerson(service);

    const outcomes = await Promise.all(
      [
        [],
        ["ban", person.email],
        ["suspend"],
        ["suspend", person.email, "now"],
        ["suspend", "nobody@example.com"],
        ["restore", person.email],
        ["suspend", "ws_%' or true --"],
      ].map((given) => operator(...given)),
    );
    const help = await operator("--help");
    const inImage = await runProgram(
      "operator",
      { DATABASE_URL: database.url, npm_lifecycle_event: "" },
      "suspend",
    );

    expect(inImage.stderr).toBe(
      "Use: node services/management/operator/main.ts suspend <person|workspace>\n",
    );
    expect(outcomes.map(({ failed, stdout }) => [failed, stdout])).toEqual(Array(7).fill([true, ""]));
    expect(outcomes.map(({ stderr }) => stderr.split("\n")[0])).toEqual([
      "Name a command. The commands:",
      'There is no command "ban". The commands:',
      "Use: npm run operate -- suspend <person|workspace>",
      "Use: npm run operate -- suspend <person|workspace>",
      'There is no person and no workspace "nobody@example.com". To list them: npm run operate -- list',
      expect.stringMatching(/^The person \S+ \(usr_\w+\) is not suspended\.$/),
      expect.stringContaining("There is no person and no workspace"),
    ]);
    expect(help.failed).toBe(false);
    expect(help.stdout).toMatch(/^npm run operate -- list \[text\] {2,}/);
    expect(outcomes[1]?.stderr).toContain(help.stdout);
    expect((await signIn(person.email)).status).toBe(200);
  },
  STARTS_PROGRAMS_MS,
);
