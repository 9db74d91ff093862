import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aTier } from "../../tests/story.ts";
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
      if (isOpen) gate.resolve();
      await gate.promise;
      return { kind: "unusable", reason: "a site of a test" };
    },
  },
});
const { db } = service.database;
let isOpen = false;

beforeEach(() => {
  isOpen = false;
  asked.length = 0;
  gates.length = 0;
});

function open(): void {
  isOpen = true;
  for (const gate of gates) gate.resolve();
}

it("copies the image of an ad that costs something at once, however many slow ones of free ads wait", async () => {
  const campaign = await aLogoCampaign(service);
  const { prices } = await aTier(campaign.publisher, {
    name: "Free",
    initialPrices: [{ amount: 0, intervalCount: 1, currency: "usd" }],
  });
  const free = Array.from({ length: 3 }, () =>
    aPaidCheckout(service, campaign.publisher, prices[0]?.id ?? ""),
  );
  onTestFinished(open);
  for (const checkout of await Promise.all(free))
    await campaign.submit("https://slow.example.com/logo.png", checkout);
  await vi.waitFor(() => expect(asked).toEqual(["slow.example.com"]), 20_000);

  await campaign.submit("https://quick.example.com/logo.png");

  await vi.waitFor(() => expect(asked).toEqual(["slow.example.com", "quick.example.com"]), 20_000);
  open();
  await vi.waitFor(() => expect(asked).toHaveLength(free.length + 1), 20_000);
});

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
  onTestFinished(open);
  for (const campaign of many) await campaign.submit("https://slow.example.com/logo.png");
  await vi.waitFor(() => expect(asked).toHaveLength(AT_ONCE), 20_000);

  await quick.submit("https://quick.example.com/logo.png");
  gates[0]?.resolve();

  await vi.waitFor(() => expect(asked[AT_ONCE]).toBe("quick.example.com"), 20_000);
});
