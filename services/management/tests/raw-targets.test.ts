import { expect, it } from "vitest";
import { foreignTargets, statusOfTarget } from "#libs/testing/raw-target.ts";
import { startManagement } from "./management.ts";
import { aPublisher, aTier } from "./story.ts";

const service = await startManagement({ unlimited: true });
const publisher = await aPublisher(service);
await aTier(publisher);
const { id, slug } = publisher.workspace;

it.each([
  `/v1/workspaces/${id}/members`,
  "/api/auth/get-session",
  `/advertise/${slug}`,
  "/v1/docs",
  "/sign-in",
])("answers 404 to every other way to write %s", async (path) => {
  const statuses = await Promise.all(
    foreignTargets(path).map((target) => statusOfTarget(service.origin, target)),
  );

  expect(statuses.filter((status) => status !== 404)).toEqual([]);
});
