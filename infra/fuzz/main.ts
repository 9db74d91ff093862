import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { processEnvironment } from "#libs/config/environment.ts";
import { startProduct } from "./product.ts";
import { fuzz } from "./schemathesis.ts";
import { prepareStory } from "./story.ts";

// Sends the running product what its own interface description allows and forbids, with Schemathesis and all its checks:
// each endpoint by itself, once signed in and once as nobody, and then one after the other with what the answers told.
// `--seconds` bounds the three together: the first has half of them. `--seed` is of the generated values. Ends with 1
// when any check failed.

const PORT = Number(processEnvironment().FUZZ_PORT ?? 18_099);

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "280" }, seed: { type: "string", default: "1" } },
});
const seconds = Number(values.seconds);

const folder = await mkdtemp(join(tmpdir(), "placard-fuzz-"));
const product = await startProduct({
  port: PORT,
  dataDir: join(folder, "data"),
  // So that each request can be another visitor's.
  environment: { TRUST_PROXY: "127.0.0.1" },
});

try {
  const story = await prepareStory(product.origin);
  const whole = { origin: product.origin, folder, story, seed: Number(values.seed) };
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
  await product.stop();
  await rm(folder, { recursive: true, force: true });
}
