import fc from "fast-check";
import { expect, it } from "vitest";
import { processEnvironment } from "#libs/config/environment.ts";
import { newApiKey, workspace } from "#libs/contract/workspaces.ts";
import { createSnapshotSource } from "#libs/placements/index.ts";
import { ApiCaller } from "../tests/callers.ts";
import { catalogueCommands, type RealCatalogue } from "../tests/catalogue-commands.ts";
import { CatalogueModel } from "../tests/catalogue-model.ts";
import { startManagement } from "../tests/management.ts";
import { aPerson } from "../tests/story.ts";

const service = await startManagement({ unlimited: true, workspacesPerPerson: 10_000 });
const person = await aPerson(service);
const source = createSnapshotSource(service.database.db);

/** Sequences begin until this number of calls agreed, or the time is over; `Infinity` for all calls. */
const CALLS = 2_000;
const SECONDS = Number(processEnvironment().MODEL_SECONDS ?? 10);

/** A new, empty workspace with a key to it. */
async function aWorkspace() {
  const name = `Weekly ${crypto.randomUUID()}`;
  const { id } = await person.caller.ok(workspace, "POST", "/v1/workspaces", { name });
  const path = `/v1/workspaces/${id}`;
  const { key } = await person.caller.ok(newApiKey, "POST", `${path}/api-keys`, { name: "Integration" });
  return { id, path, caller: new ApiCaller(service.origin, { authorization: `Bearer ${key}` }) };
}

it("does with tiers, prices and fields what a plain model in memory does, over many calls", async () => {
  const endsAt = performance.now() + SECONDS * 1000;
  let steps = 0;
  const sequences = fc.commands(catalogueCommands, { maxCommands: 120, size: "max" });

  await fc.assert(
    fc.asyncProperty(sequences, async (commands) => {
      if (steps >= CALLS || performance.now() >= endsAt) return;
      const { id, path, caller } = await aWorkspace();
      const real: RealCatalogue = { caller, path, tiers: [], fields: [], steps: 0 };
      const model = new CatalogueModel();

      await fc.asyncModelRun(() => ({ model, real }), commands);

      const snapshot = await source.loadSnapshot(id);
      expect(snapshot?.tiers.map((tier) => [tier.id, tier.prices.map((price) => price.id)])).toEqual(
        onSale(model, real),
      );
      steps += real.steps;
    }),
    { numRuns: 100 },
  );

  console.info(`${steps} calls agreed with the model`);
  expect(steps).toBeGreaterThanOrEqual(SECONDS === Infinity ? CALLS : 1);
}, 600_000);

/** What serving has to show: active tiers with a price on sale, in display order with their active prices. */
function onSale(model: CatalogueModel, real: RealCatalogue) {
  return model
    .sortedTiers()
    .filter(({ isActive, prices }) => isActive && prices.some((price) => price.isActive))
    .map(({ id, prices }) => [
      real.tiers[id]?.id,
      prices.flatMap(({ isActive }, index) => (isActive ? [real.tiers[id]?.prices[index]] : [])),
    ]);
}
