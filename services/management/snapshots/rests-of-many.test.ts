import { expect, it, vi } from "vitest";
import { workspace } from "#libs/contract/workspaces.ts";
import { startManagement } from "../tests/management.ts";
import { aField, anApprovedAd, aPublisher, aTier } from "../tests/story.ts";

const service = await startManagement();
const { placements, database } = service;

/** Rests for ten seconds: longer than another's publication takes. */
const LENGTH = 40 * 1024 * 1024;

async function tiersOf(workspaceId: string): Promise<string | undefined> {
  return (await placements.read(workspaceId))?.tiers.map(({ name }) => name).join();
}

it("lets all workspaces of an owner rest once a large one is published, and nobody else's", async () => {
  const owner = await aPublisher(service);
  const { caller } = owner.person;
  const second = await caller.ok(workspace, "POST", "/v1/workspaces", { name: "Second Weekly" });
  const small = { ...owner, caller, workspace: second, path: `/v1/workspaces/${second.id}` };
  const stranger = await aPublisher(service);
  for (const one of [small, stranger]) await aTier(one, { name: "Before" });
  const text = await aField(owner);
  const large = await anApprovedAd(service, owner);
  await vi.waitFor(async () => {
    expect([await tiersOf(second.id), await tiersOf(stranger.workspace.id)]).toEqual(["Before", "Before"]);
    expect((await placements.read(owner.workspace.id))?.ads).toHaveLength(1);
  }, 20_000);
  await database.pool.query(
    "update ads set meta = jsonb_build_object($2::text, repeat('x', $3::int)) where id = $1",
    [large.id, text.id, LENGTH],
  );

  await aTier(owner, { name: "Silver" });
  await vi.waitFor(async () => expect(await tiersOf(owner.workspace.id)).toContain("Silver"), 20_000);
  await aTier(small, { name: "After" });
  await aTier(stranger, { name: "After" });

  await vi.waitFor(async () => expect(await tiersOf(stranger.workspace.id)).toContain("After"), 20_000);
  expect(await tiersOf(second.id)).toBe("Before");
  await vi.waitFor(async () => expect(await tiersOf(second.id)).toContain("After"), 30_000);
});
