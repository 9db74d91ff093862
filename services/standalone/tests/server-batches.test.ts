import { it } from "vitest";
import { aDataFolder, startInstallation } from "./installation.ts";
import { expectDuplicatesOfBatches } from "./server-batches.ts";

it("recognizes duplicates in what a server reports in batches, whatever the times of their events", async () => {
  const installation = await startInstallation({ dataDir: await aDataFolder() });

  await expectDuplicatesOfBatches(installation.url);

  await installation.stop();
}, 300_000);
