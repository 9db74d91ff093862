import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { type Endpoint, listEndpoints } from "#libs/contract/endpoints.ts";
import { startManagement } from "./management.ts";
import { type Credentials, disguises, statusOfTarget } from "./raw-targets.ts";
import { MATRIX } from "./tenant-matrix/matrix.ts";
import { aTenant, stateOf, type Tenant } from "./two-tenants.ts";

const endpoints = listEndpoints(managementContract);
const guarded = endpoints.filter(({ path }) => path.startsWith("/workspaces/{workspaceId}"));
const service = await startManagement({ unlimited: true });
const ours = await aTenant(service, "Heron");
const theirs = await aTenant(service, "Magpie");
const theirState = await stateOf(service, theirs.workspace.id);

const nobody: Credentials = {};
const ourCredentials: Readonly<Record<string, Credentials>> = {
  nobody,
  "another workspace's key": { authorization: `Bearer ${ours.key.key}` },
  "another workspace's Owner": { cookie: ours.person.cookie },
};

function fill(path: string, ids: Tenant["ids"]): string {
  const known = new Map(Object.entries(ids));
  return path.replace(/\{(\w+)\}/g, (_all, placeholder: string) => known.get(placeholder) ?? "");
}

/** Every target that one of our routes, or a public one, matches and that reads as `path` to a parser of URLs. */
function targetsOf(method: Endpoint["method"], path: string): string[] {
  return endpoints
    .filter((carrier) => carrier.method === method)
    .flatMap((carrier) =>
      [...carrier.path.matchAll(/\{\w+\}/g)].flatMap(({ 0: placeholder, index }) => {
        const before = fill(carrier.path.slice(0, index), ours.ids);
        const after = fill(carrier.path.slice(index + placeholder.length), ours.ids);
        return path.endsWith(after)
          ? disguises(`${before}_`, path.slice(0, path.length - after.length)).map((target) => target + after)
          : [];
      }),
    );
}

it.each(guarded)("$name of theirs is reached by no target that reads like another path", async (endpoint) => {
  const { method, name } = endpoint;
  const targets = targetsOf(method, fill(endpoint.path, theirs.ids));
  const body = method === "GET" ? undefined : (MATRIX[name]?.body?.(theirs) ?? {});

  const succeeded: string[] = [];
  for (const [who, credentials] of Object.entries(ourCredentials)) {
    for (const target of targets) {
      const status = await statusOfTarget(service.origin, { method, target, body }, credentials);
      if (status < 400) succeeded.push(`${who}: ${method} ${target} ${status}`);
    }
  }

  expect(targets.length).toBeGreaterThan(10);
  expect(succeeded).toEqual([]);
});

it("has changed nothing of theirs by all this", async () => {
  expect(await stateOf(service, theirs.workspace.id)).toBe(theirState);
});
