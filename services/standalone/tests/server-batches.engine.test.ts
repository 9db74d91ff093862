import { it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { expectDuplicatesOfBatches } from "./server-batches.ts";

it("recognizes duplicates in what a server reports in batches by Redis", async () => {
  const dataDir = await aFolder();
  const environment = { REDIS_URL: process.env.REDIS_TEST_URL ?? "" };
  const installation = await startInstallation({ dataDir, environment });

  await expectDuplicatesOfBatches(installation.url);

  await installation.stop();
}, 300_000);
