import { getContractRouter, isContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { managementContract } from "#libs/contract/contract.ts";
import { listEndpoints } from "#libs/contract/endpoints.ts";
import { queryParametersOf } from "#libs/contract/query-form.ts";
import { startManagement } from "./management.ts";
import { aPublisher } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);

/** Each query parameter of each endpoint that a session may call, with the form that its schema gives it. */
const parameters = listEndpoints(managementContract).flatMap(({ name, method, path, access }) => {
  if (method !== "GET" || access.kind === "public") return [];
  const found = getContractRouter(managementContract, name.split("."));
  const input = isContractProcedure(found) ? found["~orpc"].inputSchema : undefined;
  return [...queryParametersOf(input, path)].map(([parameter, form]) => ({ name, path, parameter, form }));
});

function pathOf(path: string): string {
  return `/v1${path.replace("{workspaceId}", publisher.workspace.id).replace(/\{\w+\}/g, "nothing")}`;
}

it("knows the parameters", () => {
  expect(parameters.map(({ name, parameter }) => `${name} ${parameter}`)).toEqual(
    expect.arrayContaining(["ads.list status", "ads.list tierId", "invoices.list page", "ads.stats days"]),
  );
});

it.each(parameters)("$name takes $parameter in the form of its schema, and refuses another", async (one) => {
  const { path, parameter, form } = one;
  const shapes = form === "one" ? ["[]", "[0]", "[gte]", "[gte][]"] : ["[x]", "[0][0]"];
  const queries = [
    ...shapes.map((shape) => `${parameter}${shape}=1`),
    ...(form === "one" ? [`${parameter}=1&${parameter}=1`] : []),
  ];
  for (const query of queries) {
    expect(await publisher.person.caller.invalid("GET", `${pathOf(path)}?${query}`), query).toEqual([
      parameter,
    ]);
  }
});

it("refuses a parameter that the endpoint does not have, in any form", async () => {
  for (const query of ["statsu=Pending", "other[]=1", "workspaceId[]=1", "adId=1", "[]=1", "constructor=9"]) {
    const { data } = await publisher.caller.refused(422, "GET", `${publisher.path}/ads?${query}`);
    const [name = ""] = query.split("=");
    expect(data?.reason, query).toBe("UNKNOWN_KEY");
    expect(Object.entries(data?.fieldErrors ?? {}), query).toEqual([
      [name, [expect.stringContaining("Known here: `status`")]],
    ]);
  }
});

it("refuses a parameter where none is taken, also of a request that changes something", async () => {
  for (const [method, path] of [
    ["GET", `${publisher.path}/settings`],
    ["DELETE", `${publisher.path}/tiers/nothing`],
    ["POST", `${publisher.path}/tiers`],
  ] as const) {
    const { data } = await publisher.caller.refused(422, method, `${path}?force=1`);
    expect(data?.fieldErrors, method).toEqual({ force: ["Unknown parameter. None is taken here."] });
  }
});

it("ignores what others append to the address of what anybody may call", async () => {
  const answer = await publisher.caller.request("GET", "/v1/checkout-sessions/nothing?utm_source=x&days[]=1");
  expect(answer.status).toBe(404);
});
