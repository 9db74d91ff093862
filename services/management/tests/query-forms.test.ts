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
    const { data } = await publisher.person.caller.refused(422, "GET", `${pathOf(path)}?${query}`);
    expect(Object.keys(data?.fieldErrors ?? {}), query).toEqual([parameter]);
  }
});

it("ignores brackets around what is no parameter, and around what the path says", async () => {
  for (const query of ["other[]=1", "workspaceId[]=1", "adId=1", "[]=1", "__proto__[page]=9"]) {
    const answer = await publisher.caller.request("GET", `${publisher.path}/ads?${query}`);
    expect(answer.status, query).toBe(200);
  }
});
