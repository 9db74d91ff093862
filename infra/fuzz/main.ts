import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { processEnvironment } from "#libs/config/environment.ts";
import { fuzz } from "./schemathesis.ts";
import { prepareStory } from "./story.ts";

// Sends the running product what its own interface description allows and forbids, with Schemathesis and all its checks:
// each endpoint by itself, once signed in and once as nobody, and then one after the other with what the answers told.
// `--seconds` bounds the three together: the first has half of them. `--seed` is of the generated values. Ends with 1
// when any check failed.

const REPOSITORY = join(import.meta.dirname, "..", "..");
const PORT = Number(processEnvironment().FUZZ_PORT ?? 18_099);
const ORIGIN = `http://127.0.0.1:${PORT}`;
const START_WITHIN_MS = 60_000;

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "140" }, seed: { type: "string", default: "1" } },
});
const seconds = Number(values.seconds);

const folder = await mkdtemp(join(tmpdir(), "placard-fuzz-"));
const product = spawn(process.execPath, [join("services", "standalone", "main.ts")], {
  cwd: REPOSITORY,
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    PATH: processEnvironment().PATH,
    DATA_DIR: join(folder, "data"),
    PORT: String(PORT),
    SEED: "none",
    LOG_LEVEL: "error",
    // So that each request can be another visitor's.
    TRUST_PROXY: "127.0.0.1",
  },
});
const ended = once(product, "exit");

try {
  await untilReady();
  const story = await prepareStory(ORIGIN);
  const whole = { origin: ORIGIN, folder, story, seed: Number(values.seed) };
  const alone = { ...whole, ids: "of the story", phases: ["examples", "coverage", "fuzzing"] } as const;
  const runs = [
    { as: "signed in", run: { ...alone, cookie: story.cookie, seconds: seconds / 2 } },
    { as: "as nobody", run: { ...alone, cookie: null, seconds: seconds / 4 } },
    {
      as: "one call after the other",
      run: { ...whole, ids: "as answered", phases: ["stateful"], cookie: story.cookie, seconds: seconds / 4 },
    },
  ] as const;
  for (const { as, run } of runs) {
    process.stdout.write(`\nFuzzing the interface, ${as}\n`);
    if (!(await fuzz(run))) process.exitCode = 1;
  }
} finally {
  product.kill("SIGINT");
  await ended;
  await rm(folder, { recursive: true, force: true });
}

async function untilReady(): Promise<void> {
  const deadline = Date.now() + START_WITHIN_MS;
  while (Date.now() < deadline && product.exitCode === null) {
    const answer = await fetch(`${ORIGIN}/readyz`).catch(() => null);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("the product did not get ready");
}
