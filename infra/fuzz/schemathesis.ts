import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import type { Story } from "./story.ts";

const RULES = join(import.meta.dirname, "rules.py");

export interface FuzzRun {
  /** The product under test. */
  readonly origin: string;
  /** For Schemathesis's own files; it may be used by one run after the other. */
  readonly folder: string;
  readonly story: Story;
  /** Nobody's when null. */
  readonly cookie: string | null;
  /** Ids are the story's, or come from earlier answers. */
  readonly ids: "of the story" | "as answered";
  readonly phases: readonly ("examples" | "coverage" | "fuzzing" | "stateful")[];
  readonly seconds: number;
  /** The seed of the generated values: the same one gives the same requests, as far as the time reaches. */
  readonly seed: number;
}

/** One run of Schemathesis with all its checks on; true when it found nothing. `SCHEMATHESIS` names the program. */
export async function fuzz(run: FuzzRun): Promise<boolean> {
  const { origin, folder, story, phases, seconds, seed } = run;
  const config = join(folder, "schemathesis.toml");
  const facts = join(folder, "story.json");
  await writeFile(config, configuration(run));
  await writeFile(facts, JSON.stringify({ fields: story.fields }));
  const program = spawn(
    processEnvironment().SCHEMATHESIS ?? "schemathesis",
    [
      "--config-file",
      config,
      "run",
      `${origin}/v1/openapi.json`,
      "--checks=all",
      // The first leads away, the second takes only what Stripe has signed.
      "--exclude-operation-id=checkout.billing",
      "--exclude-operation-id=webhooks.stripe",
      `--phases=${phases.join(",")}`,
      "--max-examples=15",
      `--seed=${seed}`,
      `--max-time=${Math.max(1, Math.round(seconds))}`,
      "--continue-on-failure",
      "--warnings=off",
      "--no-color",
    ],
    { cwd: folder, stdio: "inherit", env: { ...processEnvironment(), FUZZ_STORY: facts } },
  );
  const [code] = await once(program, "exit");
  return code === 0;
}

function configuration({ origin, story, cookie, ids }: FuzzRun): string {
  const token = cookie?.split("=").slice(1).join("=");
  return [
    `base-url = ${JSON.stringify(`${origin}/v1`)}`,
    `hooks = ${JSON.stringify(RULES)}`,
    ...(token === undefined ? [] : ["[auth.openapi.session]", `api_key = ${JSON.stringify(token)}`]),
    ...(ids === "of the story" ? parametersOf(story) : []),
    "",
  ].join("\n");
}

function parametersOf({ ids, victims }: Story): string[] {
  const inPath = (one: Readonly<Record<string, string>>) =>
    Object.entries(one).map(([name, id]) => `"path.${name}" = ${JSON.stringify(id)}`);
  return [
    "[parameters]",
    ...inPath(ids),
    ...Object.entries(victims).flatMap(([operation, victim]) => [
      "[[operations]]",
      `include-operation-id = ${JSON.stringify(operation)}`,
      `parameters = { ${inPath(victim).join(", ")} }`,
    ]),
  ];
}
