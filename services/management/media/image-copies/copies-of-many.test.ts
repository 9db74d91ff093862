import { expect, it, onTestFinished, vi } from "vitest";
import { startManagement } from "../../tests/management.ts";
import { aPaidCheckout, aTier } from "../../tests/story.ts";
import { A_PIXEL, aLogoCampaign } from "../../tests/upload-story.ts";

/** More than are worked on at a time. */
const WORKSPACES = 6;
const AT_ONCE = 3;
const asked: string[] = [];
/** Sites that do not answer before their gate is open. */
const gates = new Map<string, PromiseWithResolvers<void>>();
const service = await startManagement({
  unlimited: true,
  images: {
    fetch: async ({ hostname }) => {
      asked.push(hostname);
      const gate = gates.get(hostname);
      if (gate === undefined) return { kind: "found", contentType: "image/png", bytes: A_PIXEL };
      await gate.promise;
      return { kind: "unusable", reason: "a site of a test" };
    },
  },
});
const { db } = service.database;

/** Sites that answer nothing until the test is over. */
function slowSites(...hosts: string[]): void {
  for (const host of hosts) gates.set(host, Promise.withResolvers());
  onTestFinished(() => open(...hosts));
}

function open(...hosts: string[]): void {
  for (const host of hosts) gates.get(host)?.resolve();
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
  const hosts = free.map((_checkout, n) => `slow-${n}.example.com`);
  slowSites(...hosts);
  for (const [n, checkout] of (await Promise.all(free)).entries())
    await campaign.submit(`https://${hosts[n]}/logo.png`, checkout);
  await vi.waitFor(() => expect(asked).toHaveLength(1), 20_000);

  await campaign.submit("https://quick.example.com/logo.png");

  await vi.waitFor(() => expect(asked.slice(1)).toEqual(["quick.example.com"]), 20_000);
  open(...hosts);
  await vi.waitFor(() => expect(asked).toEqual(expect.arrayContaining(hosts)), 20_000);
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
  const hosts = many.map((_campaign, n) => `many-${n}.example.com`);
  slowSites(...hosts);
  for (const [n, campaign] of many.entries()) await campaign.submit(`https://${hosts[n]}/logo.png`);
  // The test before may have left a copy to be tried again.
  const begun = () => asked.filter((host) => host.startsWith("many") || host.startsWith("other"));
  await vi.waitFor(() => expect(begun()).toHaveLength(AT_ONCE), 20_000);

  await quick.submit("https://other.example.com/logo.png");
  open(...begun().slice(0, 1));

  await vi.waitFor(() => expect(begun()[AT_ONCE]).toBe("other.example.com"), 20_000);
});
