import { it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "./installation.ts";
import { doTheMainJob, expectMainJob } from "./main-job.ts";

it("sells, reviews, serves and counts an ad over HTTP alone, and knows it all after a restart", async () => {
  const dataDir = await aFolder();
  const first = await startInstallation({ dataDir });
  const done = await doTheMainJob(first.url);
  await first.stop();

  const second = await startInstallation({ dataDir, port: first.port });
  await expectMainJob(second.url, done);
  await second.stop();
});
