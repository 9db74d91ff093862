import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareStory, type Story } from "./story.ts";

// Sends the running product what its own interface description allows and forbids, with Schemathesis and all its checks, once
// signed in and once as nobody. `SCHEMATHESIS` names the program (default: on the path), `--seconds` bounds each of the
// two runs. Ends with 1 when any check failed.

const REPOSITORY = join(import.meta.dirname, "..", "..");
const PORT = Number(process.env.FUZZ_PORT ?? 18_099);
const ORIGIN = `http://127.0.0.1:${PORT}`;
const START_WITHIN_MS = 60_000;
/**
 * What these take depends on several values together (a price's interval and count, a field of that type) or on the
 * workspace's own fields, which a description of single values cannot say. Tests of their own go through it.
 */
const JUDGED_AS_A_WHOLE = [
  "checkout.submit",
  "fields.create",
  "fields.update",
  "fields.reorder",
  "prices.create",
  "tiers.create",
];

/**
 * What these take as an address of the web is decided by a URL parser. The expression in the description names a part of it
 * that a generator can make, so that what lies outside may be accepted all the same.
 */
const WITH_ADDRESSES = ["workspaces.create", "workspaces.update", "checkout.create", "checkout.submit"];

const secondsAt = process.argv.indexOf("--seconds");
const SECONDS = secondsAt === -1 ? 120 : Number(process.argv[secondsAt + 1]);

const folder = await mkdtemp(join(tmpdir(), "placard-fuzz-"));
const product = spawn(process.execPath, [join("services", "standalone", "main.ts")], {
  cwd: REPOSITORY,
  stdio: ["ignore", "ignore", "inherit"],
  env: {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, "data"),
    PORT: String(PORT),
    SEED: "none",
    LOG_LEVEL: "error",
  },
});
const ended = once(product, "exit");

try {
  await untilReady();
  const story = await prepareStory(ORIGIN);
  const signedIn = await fuzz("signed in", story, story.cookie);
  const asNobody = await fuzz("as nobody", story, null);
  process.exitCode = signedIn && asNobody ? 0 : 1;
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

/** One run of Schemathesis; true when it found nothing. */
async function fuzz(as: string, story: Story, cookie: string | null): Promise<boolean> {
  process.stdout.write(`\nFuzzing the interface, ${as}\n`);
  const config = join(folder, "schemathesis.toml");
  await writeFile(config, configuration(story, cookie));
  const description = join(folder, "openapi.json");
  await writeFile(description, JSON.stringify(await describeWithoutIdempotency()));
  const run = spawn(
    process.env.SCHEMATHESIS ?? "schemathesis",
    [
      "--config-file",
      config,
      "run",
      description,
      "--phases=examples,coverage,fuzzing",
      "--max-examples=15",
      "--seed=1",
      `--max-time=${SECONDS}`,
      "--continue-on-failure",
      "--warnings=off",
      "--no-color",
    ],
    { cwd: folder, stdio: "inherit" },
  );
  const [code] = await once(run, "exit");
  return code === 0;
}

/**
 * The description as it is served, but for the `Idempotency-Key` header: a fuzzer sends one key with different bodies, and
 * is refused as it should be. Tests of their own prove what keys do.
 */
async function describeWithoutIdempotency(): Promise<unknown> {
  const described = await (await fetch(`${ORIGIN}/v1/openapi.json`)).text();
  return JSON.parse(described, (key, value) =>
    key === "parameters" && Array.isArray(value)
      ? value.filter((parameter) => parameter.name !== "Idempotency-Key")
      : value,
  );
}

function configuration(story: Story, cookie: string | null): string {
  const token = cookie?.split("=").slice(1).join("=");
  return [
    `base-url = ${JSON.stringify(`${ORIGIN}/v1`)}`,
    "[parameters]",
    ...Object.entries(story.ids).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`),
    ...(token === undefined ? [] : ["[auth.openapi.session]", `api_key = ${JSON.stringify(token)}`]),
    "[[operations]]",
    `include-operation-id = ${JSON.stringify(JUDGED_AS_A_WHOLE)}`,
    "checks.positive_data_acceptance.enabled = false",
    "[[operations]]",
    `include-operation-id = ${JSON.stringify(WITH_ADDRESSES)}`,
    "checks.negative_data_rejection.enabled = false",
    "",
  ].join("\n");
}
