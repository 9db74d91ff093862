import { expect, it } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

const service = await startManagement();
const publisher = await aPublisher(service);

it.each(["%00", "%ed%a0%80", "a%00b", "x".repeat(5_000), "'--"])(
  "answers 404 to the demo of a workspace that is none: %s",
  async (workspace) => {
    const response = await fetch(`${service.origin}/demo?workspace=${workspace}`);

    expect(response.status).toBe(404);
  },
);

it("shows the demo of a workspace by its id and by its slug", async () => {
  const { id, slug } = publisher.workspace;

  const responses = [id, slug].map((workspace) => fetch(`${service.origin}/demo?workspace=${workspace}`));

  expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200]);
});
