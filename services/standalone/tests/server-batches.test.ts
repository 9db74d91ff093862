import { it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { expectDuplicatesOfBatches } from "./server-batches.ts";

it("recognizes duplicates in what a server reports in batches, whatever the times of their events", async () => {
  const installation = await startInstallation({ dataDir: await aFolder() });

  await expectDuplicatesOfBatches(installation.url);

  await installation.stop();
}, 300_000);
