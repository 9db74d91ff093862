// Runs the fault suite and writes what it measured into infra/docs/faults.md: npm run test:faults
import { spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import { EVENTS_PER_SECOND } from "./load.ts";
import { seed } from "./random.ts";
import { readResults } from "./results.ts";
import { renderPage } from "./table.ts";

const PAGE = new URL("../docs/faults.md", import.meta.url);
const folder = await mkdtemp(join(tmpdir(), "placard-faults-"));
const file = join(folder, "results");
try {
  const startedAt = Date.now();
  const run = spawnSync("npx", ["vitest", "run", "--project", "engines", "infra/faults"], {
    stdio: "inherit",
    env: {
      FAULTS_AWAY_SECONDS: "30",
      ...processEnvironment(),
      FAULTS_RESULTS: file,
      FAULTS_SEED: String(seed),
    },
  });
  const results = await readResults(file);
  await writeFile(
    PAGE,
    renderPage(results, {
      date: new Date().toISOString().slice(0, 10),
      machine: `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? "unknown"}), ${Math.round(totalmem() / 2 ** 30)} GiB of memory, ${process.platform}, Node ${process.version}`,
      command: `FAULTS_SEED=${seed} FAULTS_EVENTS_PER_SECOND=${EVENTS_PER_SECOND} npm run test:faults`,
      seconds: (Date.now() - startedAt) / 1000,
      failed: run.status !== 0,
    }),
  );
  process.exitCode = run.status ?? 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
