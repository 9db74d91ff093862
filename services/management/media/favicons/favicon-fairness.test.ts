import { expect, it, vi } from "vitest";
import { enqueue } from "../../queue/enqueue.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher } from "../../tests/story.ts";

const gate = Promise.withResolvers<void>();
const asked: string[] = [];
const service = await startManagement({
  favicons: {
    find: async (page) => {
      asked.push(page.hostname);
      if (page.hostname.startsWith("slow")) await gate.promise;
      return { kind: "none", reason: "a site of a test" };
    },
  },
});
const { db } = service.services;

/** Queues a search for the icon of a workspace's site. */
async function search(workspaceId: string, websiteUrl: string) {
  await db.updateTable("workspaces").set({ website_url: websiteUrl }).where("id", "=", workspaceId).execute();
  await db.transaction().execute((trx) => enqueue(trx, "favicon", { workspaceId, adId: null, attempt: 1 }));
}

it("looks for a publisher's icon while another publisher's site does not answer", async () => {
  const [slow, quick] = [await aPublisher(service, "Slow Weekly"), await aPublisher(service, "Quick Weekly")];
  await search(slow.workspace.id, "https://slow.example");
  await vi.waitFor(() => expect(asked).toEqual(["slow.example"]), 20_000);

  await search(quick.workspace.id, "https://quick.example");

  await vi.waitFor(() => expect(asked).toEqual(["slow.example", "quick.example"]), 20_000);
  gate.resolve();
});
