import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { type ManagementUnderTest, startManagement } from "../../services/management/tests/management.ts";
import { aMember, aPerson } from "../../services/management/tests/story.ts";
import { aTenant, stateOf, type Tenant, textsOf } from "../../services/management/tests/two-tenants.ts";
import { sendRaw } from "./raw-request.ts";

/** Headers that a caller is known by. */
export type Credentials = Readonly<Record<string, string>>;

/** Two tenants, and every kind of caller without access to the second. */
export interface Arena {
  readonly service: ManagementUnderTest;
  readonly ours: Tenant;
  /** No caller here may learn or change anything of this tenant. */
  readonly theirs: Tenant;
  /** Callers without access to `theirs`, by name. */
  readonly strangers: Readonly<Record<string, Credentials>>;
  /** An Owner's session and key of our own. */
  readonly owner: Credentials;
  readonly key: Credentials;
  /** Texts of `theirs` that the answer has and the request did not send. Empty if nothing leaks. */
  leaksIn(answer: string, sent: string): readonly string[];
  /** The first change to `theirs` since the arena was opened; null for none. */
  changeOfTheirs(): Promise<string | null>;
}

/** Starts a management service with two tenants. Call it at the top of a file, as `startManagement`. */
export async function openArena(): Promise<Arena> {
  const service = await startManagement({ unlimited: true, stats: "real" });
  const ours = await aTenant(service, "Heron");
  const theirs = await aTenant(service, "Magpie");
  const outsider = await aPerson(service, "Nobody Here");
  const viewer = await aMember(service, ours, "Viewer");
  const bearer = (key: string): Credentials => ({ authorization: `Bearer ${key}` });
  const before = await stateOf(service, theirs.workspace.id);
  const secrets = await textsOfTheirsAlone(service, ours, theirs);
  return {
    service,
    ours,
    theirs,
    owner: { cookie: ours.person.cookie },
    key: bearer(ours.key.key),
    strangers: {
      nobody: {},
      "a malformed key": bearer(`${theirs.key.key.slice(0, -1)}_`),
      "a revoked key of theirs": bearer(theirs.revokedKey),
      "our key": bearer(ours.key.key),
      "our Owner": { cookie: ours.person.cookie },
      "our Viewer": { cookie: viewer.cookie },
      "somebody without a workspace": { cookie: outsider.cookie },
    },
    leaksIn: (answer, sent) => secrets.filter((secret) => answer.includes(secret) && !sent.includes(secret)),
    async changeOfTheirs() {
      const after = await stateOf(service, theirs.workspace.id);
      return after === before ? null : firstDifference(before, after);
    },
  };
}

/** Every endpoint of the management contract. */
export const ENDPOINTS = listEndpoints(managementContract);

/** The path of an endpoint with the ids of a tenant. */
export function pathOf(path: string, ids: Readonly<Record<string, string>>): string {
  return path.replace(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? "");
}

/** Whether the service still answers an ordinary request. */
export async function isAlive({ service }: Pick<Arena, "service">): Promise<boolean> {
  return (await sendRaw(service.origin, { method: "GET", target: "/v1/openapi.json" })).status === 200;
}

async function textsOfTheirsAlone(
  service: ManagementUnderTest,
  ours: Tenant,
  theirs: Tenant,
): Promise<string[]> {
  const known = await textsOf(service, ours.workspace.id);
  const texts = await textsOf(service, theirs.workspace.id);
  const isTime = (text: string) => /^\d{4}-\d{2}-\d{2}T/.test(text);
  return [...texts].filter((text) => text.length > 3 && !known.has(text) && !isTime(text));
}

function firstDifference(before: string, after: string): string {
  const lines = after.split("\n");
  const at = before.split("\n").findIndex((line, index) => line !== lines[index]);
  return `${before.split("\n")[at] ?? "(nothing)"} became ${lines[at] ?? "(nothing)"}`;
}
