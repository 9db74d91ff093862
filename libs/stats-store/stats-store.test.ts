import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbeddedClickHouse } from "./index.ts";
import { testStatsStore } from "./stats-store-suite.ts";

testStatsStore(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "stats-store-"));
  const embedded = await startEmbeddedClickHouse({ dataDir });
  return {
    ...embedded,
    async close() {
      await embedded.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
});
