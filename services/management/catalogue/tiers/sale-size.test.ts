import { pino } from "pino";
import { expect, it, vi } from "vitest";
import { tier } from "#libs/contract/tiers.ts";
import { MOST_SALE_BYTES } from "#libs/domain/serving-limits.ts";
import { startManagement } from "../../tests/management.ts";
import { aPublisher, aTier } from "../../tests/story.ts";
import { warnOfLargeSales } from "./sale-size.ts";

const service = await startManagement({ unlimited: true });
const SENTENCE =
  "The tiers on sale may take 256 KiB together with their prices, and would now take more. Archive some, or shorten their texts.";
/** About a fiftieth of what the tiers on sale may take. */
const A_FIFTIETH = "💥".repeat(1_260);

/** A publisher whose tiers on sale take all but a little of what they may. */
async function aLargeOffer() {
  const publisher = await aPublisher(service);
  const [first, ...others] = await Promise.all(
    Array.from({ length: 48 }, () => aTier(publisher, { description: A_FIFTIETH })),
  );
  if (first === undefined) throw new Error("There is no tier.");
  return { ...publisher, others, at: `${publisher.path}/tiers/${first.id}` };
}

it("refuses what makes the tiers on sale too large for their visitors, and takes it once there is room", async () => {
  const { caller, path, others, at } = await aLargeOffer();
  const large = {
    name: "Silver",
    weight: 1,
    description: "💥".repeat(2_000),
    features: Array.from({ length: 15 }, () => ({ label: "💥".repeat(80), type: "neutral" })),
  };
  const price = { amount: 4900, intervalCount: 1, currency: "usd" };
  const prices = Array.from({ length: 50 }, (_, index) => ({
    ...price,
    intervalCount: index + 1,
    interval: "Day",
  }));

  const made = await caller.refused(409, "POST", `${path}/tiers`, { ...large, initialPrices: prices });
  const shelved = await caller.ok(tier, "POST", `${path}/tiers`, {
    ...large,
    isActive: false,
    initialPrices: prices,
  });
  const unarchived = await caller.refused(409, "POST", `${path}/tiers/${shelved.id}/unarchive`);
  const changed = await caller.refused(409, "PATCH", at, large);
  await caller.ok(tier, "PATCH", at, { name: "A name" });
  const shorter = await caller.ok(tier, "PATCH", at, { description: "" });
  for (const { id } of others.slice(0, 3)) await caller.ok(tier, "DELETE", `${path}/tiers/${id}`);
  const taken = await caller.ok(tier, "POST", `${path}/tiers/${shelved.id}/unarchive`);

  for (const { data } of [made, unarchived, changed]) {
    expect(data).toMatchObject({ reason: "LIMIT_REACHED", formErrors: [SENTENCE] });
  }
  expect([shorter.description, taken.isActive]).toEqual(["", true]);
});

it("keeps a larger offer from before, lets it shrink, and names its workspace to the operator", async () => {
  const { caller, workspace, at } = await aLargeOffer();
  await service.database.pool.query(
    "update tiers set description = repeat('💥', 2000) where workspace_id = $1",
    [workspace.id],
  );
  const logger = pino({ level: "silent" });
  const warn = vi.spyOn(logger, "warn");

  const added = await caller.refused(409, "POST", `${at}/prices`, {
    amount: 100,
    intervalCount: 2,
    currency: "usd",
  });
  await warnOfLargeSales(service.database.db, logger);
  const shorter = await caller.ok(tier, "PATCH", at, { description: "Shorter." });
  const served = await fetch(`${service.origin}/advertise/${workspace.slug}`);

  expect(added.data).toMatchObject({ formErrors: [SENTENCE] });
  expect(JSON.stringify(warn.mock.calls)).toContain(workspace.id);
  expect(shorter.description).toBe("Shorter.");
  expect((await served.text()).length).toBeGreaterThan(MOST_SALE_BYTES / 4);
});
