import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { hasRole, MEMBER_ROLES, type MemberRole } from "#libs/domain/member.ts";
import { ApiCaller } from "./callers.ts";
import { envelope } from "./envelope.ts";
import { startManagement } from "./management.ts";
import { listenToQueries } from "./query-log.ts";
import { aMember, aPerson } from "./story.ts";
import { MATRIX } from "./tenant-matrix/matrix.ts";
import type { MatrixRow } from "./tenant-matrix/row.ts";
import { aTenant, stateOf, type Tenant, tenantTables, textsOf } from "./two-tenants.ts";
import { idleExplanations, unscopedStatements } from "./unscoped-statements.ts";

const endpoints = listEndpoints(managementContract);
const service = await startManagement({ unlimited: true, stats: "real" });
const ours = await aTenant(service, "Heron");
/** Whom nobody here may learn anything of, nor change. */
const theirs = await aTenant(service, "Magpie");
const outsider = await aPerson(service, "Nobody Here");
const queries = listenToQueries();

const bearer = (key: string) => new ApiCaller(service.origin, { authorization: `Bearer ${key}` });
const withoutCredentials = {
  "no key": new ApiCaller(service.origin),
  "a malformed key": bearer(`${theirs.key.key.slice(0, -1)}_`),
  "a revoked key": bearer(theirs.revokedKey),
};
const nonMembers = { "another workspace's Owner": ours.person.caller, "somebody's": outsider.caller };
const members = await Promise.all(
  MEMBER_ROLES.map(async (role) => ({ role, ...(await aMember(service, ours, role)) })),
);
const theirState = await stateOf(service, theirs.workspace.id);
const secrets = await theirSecrets();

/** Every text of theirs that is not ours as well, as the names of states are; two things may happen at one time. */
async function theirSecrets(): Promise<string[]> {
  const known = await textsOf(service, ours.workspace.id);
  const texts = await textsOf(service, theirs.workspace.id);
  const isTime = (text: string) => /^\d{4}-\d{2}-\d{2}T/.test(text);
  return [...texts].filter((text) => text.length > 3 && !known.has(text) && !isTime(text));
}

function rowOf({ name }: Endpoint): MatrixRow {
  const row = MATRIX[name];
  if (row === undefined) throw new Error(`the tenant matrix has no row for ${name}`);
  return row;
}

function placeholdersOf({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? "");
}

/** Sends it and checks what holds for every answer: it has nothing of theirs but what the body itself has named. */
async function send(
  caller: ApiCaller,
  { name, method, path }: Endpoint,
  ids: Readonly<Record<string, string>>,
  body: unknown,
): Promise<number> {
  const filled = path.replace(/\{(\w+)\}/g, (_all, placeholder: string) => {
    const id = ids[placeholder];
    if (id === undefined) throw new Error(`${name} has a placeholder that no tenant has: ${placeholder}`);
    return id;
  });
  const { status, text } = await queries.during(() => caller.request(method, `/v1${filled}`, body));
  const sent = JSON.stringify(body ?? null);
  expect(
    secrets.filter((secret) => text.includes(secret) && !sent.includes(secret)),
    `${name} ${status} ${text}`,
  ).toEqual([]);
  if (status >= 400) expect(envelope.parse(JSON.parse(text)).status).toBe(status);
  return status;
}

/** The status of a call on our own things, by somebody of ours; what it uses up is made only where it is let in. */
async function callOwn(caller: ApiCaller, endpoint: Endpoint, isAllowed = true): Promise<number> {
  const { body, arrange } = rowOf(endpoint);
  const ids = { ...ours.ids, ...(isAllowed ? await arrange?.(service, ours) : {}) };
  return await send(caller, endpoint, ids, body?.(ours));
}

function inTheirs(caller: ApiCaller, endpoint: Endpoint): Promise<number> {
  return send(caller, endpoint, theirs.ids, rowOf(endpoint).body?.(theirs));
}

/** Puts a member back who has left. */
async function reinstate(email: string, role: MemberRole): Promise<void> {
  await service.database.pool.query(
    "insert into members (id, workspace_id, person_id, role) select 'mem_' || md5(p.id), $2, p.id, $3 from people p where p.email = $1 on conflict do nothing",
    [email, ours.workspace.id, role],
  );
}

it("has a row for every management endpoint and for no other", () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(endpoints.map(({ name }) => name).toSorted());
});

it("has texts of theirs to look for, in every kind of thing", () => {
  for (const id of Object.values(theirs.ids)) expect(secrets).toContain(id);
  expect(secrets).toEqual(expect.arrayContaining(["Magpie Weekly", "Magpie Gold", "magpie@example.net"]));
});

it.each(endpoints)("$name asks for the right that is written down", (endpoint) => {
  expect(endpoint.access).toEqual(rowOf(endpoint).access);
});

const guarded = endpoints.filter(({ access }) => access.kind !== "public");

it.each(guarded)("$name refuses unknown callers and those of another workspace", async (endpoint) => {
  for (const [who, caller] of Object.entries(withoutCredentials)) {
    expect(await inTheirs(caller, endpoint), who).toBe(401);
  }
  expect(await inTheirs(ours.caller, endpoint), "another workspace's key").toBe(403);
  for (const [who, caller] of Object.entries(nonMembers)) {
    const expected = endpoint.access.kind === "session" ? rowOf(endpoint).allowed : 403;
    expect(await inTheirs(caller, endpoint), `${who} session`).toBe(expected);
  }
});

it.each(guarded)("$name lets our own people and key do what their role allows", async (endpoint) => {
  const { access, allowed } = rowOf(endpoint);
  for (const { role, email, caller } of members) {
    if (endpoint.name === "members.leave") await reinstate(email, role);
    const may = !("role" in access) || hasRole(role, access.role);
    expect(await callOwn(caller, endpoint, may), role).toBe(may ? allowed : 403);
    await reinstate(email, role);
  }
  const may = access.kind === "member";
  expect(await callOwn(ours.caller, endpoint, may), "own key").toBe(may ? allowed : 403);
});

it.each(endpoints.filter(({ access }) => access.kind === "public"))(
  "$name is open to anybody, whatever they hold",
  async (endpoint) => {
    const callers = [...Object.values(withoutCredentials), ours.caller, theirs.caller, outsider.caller];
    for (const caller of callers) expect(await callOwn(caller, endpoint)).toBe(rowOf(endpoint).allowed);
  },
);

const naming = endpoints.flatMap((endpoint) =>
  placeholdersOf(endpoint)
    .filter((placeholder) => placeholder !== "workspaceId" && placeholder !== "sessionId")
    .map((placeholder) => ({ name: endpoint.name, placeholder, endpoint })),
);

it.each(naming)(
  "$name answers 404 to our own key with their $placeholder",
  async ({ placeholder, endpoint }) => {
    const { body, access } = rowOf(endpoint);
    const owner = members.find(({ role }) => role === "Owner")?.caller ?? ours.person.caller;
    const ids: Tenant["ids"] = {
      ...ours.ids,
      [placeholder]: Object.entries(theirs.ids).find(([key]) => key === placeholder)?.[1] ?? "",
    };

    expect(await send(owner, endpoint, ids, body?.(ours)), "Owner").toBe(404);
    const expected = access.kind === "member" ? 404 : 403;
    expect(await send(ours.caller, endpoint, ids, body?.(ours)), "own key").toBe(expected);
  },
);

it.each(endpoints.filter((endpoint) => rowOf(endpoint).foreign !== undefined))(
  "$name takes nothing of theirs in its body",
  async (endpoint) => {
    const { foreign, access } = rowOf(endpoint);
    const caller = access.kind === "member" ? ours.caller : ours.person.caller;

    expect(await send(caller, endpoint, ours.ids, foreign?.body(theirs))).toBe(foreign?.status);
  },
);

it("has changed nothing of theirs by all this", async () => {
  expect(await stateOf(service, theirs.workspace.id)).toBe(theirState);
});

it("has asked for tenants' rows by their workspace in every statement, but for those that are explained", async () => {
  const unscoped = unscopedStatements(queries.statements(), await tenantTables(service));

  expect(unscoped).toEqual([]);
  expect(idleExplanations(queries.statements())).toEqual([]);
  expect(queries.statements().length).toBeGreaterThan(100);
});
