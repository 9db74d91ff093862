import { expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

/** More than are worked on at a time. */
const WORKSPACES = 6;
const AT_ONCE = 3;
const asked: string[] = [];
const gates: PromiseWithResolvers<void>[] = [];
const service = await startManagement({
  unlimited: true,
  images: {
    fetch: async ({ hostname }) => {
      asked.push(hostname);
      if (!hostname.startsWith("slow")) return { kind: "found", contentType: "image/png", bytes: A_PIXEL };
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return { kind: "unusable", reason: "a site of a test" };
    },
  },
});
const { db } = service.database;

it("copies somebody's image before the next of one who has many workspaces with slow ones", async () => {
  const quick = await aLogoCampaign(service);
  const many = await Promise.all(Array.from({ length: WORKSPACES }, () => aLogoCampaign(service)));
  const ids = many.map(({ publisher }) => publisher.workspace.id);
  const [owner] = await db
    .selectFrom("members")
    .where("workspace_id", "in", ids)
    .select("person_id")
    .execute();
  await db
    .updateTable("members")
    .set({ person_id: owner?.person_id ?? "" })
    .where("workspace_id", "in", ids)
    .execute();
  onTestFinished(() => {
    for (const gate of gates) gate.resolve();
  });
  for (const campaign of many) await campaign.submit("https://slow.example.com/logo.png");
  await vi.waitFor(() => expect(asked).toHaveLength(AT_ONCE), 20_000);

  await quick.submit("https://quick.example.com/logo.png");
  gates[0]?.resolve();

  await vi.waitFor(() => expect(asked).toHaveLength(AT_ONCE + 1), 20_000);
  expect(asked.at(-1)).toBe("quick.example.com");
});
