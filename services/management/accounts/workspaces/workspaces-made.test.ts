import { expect, it } from "vitest";
import { workspace } from "#libs/contract/workspaces.ts";
import { startManagement } from "../../tests/management.ts";
import { aPerson } from "../../tests/story.ts";

const service = await startManagement({ workspacesPerPerson: 1 });

it("lets a person make five times as many workspaces in a day as they may own, however many they delete", async () => {
  const { caller } = await aPerson(service);
  const statuses: number[] = [];
  for (let n = 1; n <= 6; n += 1) {
    const made = await caller.request("POST", "/v1/workspaces", { name: "Again Weekly" });
    statuses.push(made.status);
    if (made.status !== 200) continue;
    const { id } = workspace.parse(JSON.parse(made.text));
    await caller.request("DELETE", `/v1/workspaces/${id}`, { name: "Again Weekly", refund: false });
  }

  expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
});
