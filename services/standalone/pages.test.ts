import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createShutdown } from "#libs/async/index.ts";
import { createLogger } from "#libs/http/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { buildPagesOnce } from "./pages.ts";

const BUILT = "services/dashboard/dist/index.html";
const LEAVES_A_MARK = 'import { writeFileSync } from "node:fs"; writeFileSync("built", "");';

/** An installation of nothing but a program to build its pages with, and what is said while it is used. */
async function anInstallation({ build = LEAVES_A_MARK, vite = true, isBuilt = false }) {
  const root = await aFolder();
  await mkdir(join(root, "infra/build"), { recursive: true });
  await writeFile(join(root, "infra/build/build-pages.ts"), build);
  await writeFile(join(root, "package.json"), '{"type":"module"}');
  if (vite) await mkdir(join(root, "node_modules/vite"), { recursive: true });
  if (isBuilt) {
    await mkdir(join(root, BUILT, ".."), { recursive: true });
    await writeFile(join(root, BUILT), "");
  }
  const lines: string[] = [];
  const logger = createLogger({ level: "warn" }, { write: (line) => lines.push(line) });
  const shutdown = createShutdown({ logger, handleSignals: false });
  return { root, lines, logger, shutdown };
}

it("builds the pages where they are missing", async () => {
  const { root, lines, logger, shutdown } = await anInstallation({});

  await buildPagesOnce(logger, shutdown, root);

  expect(existsSync(join(root, "built"))).toBe(true);
  expect(lines).toEqual([]);
});

it("leaves pages that are there as they are", async () => {
  const { root, logger, shutdown } = await anInstallation({ isBuilt: true });

  await buildPagesOnce(logger, shutdown, root);

  expect(existsSync(join(root, "built"))).toBe(false);
});

it.each([
  ["without Vite", { vite: false }, /no Vite to build them with/],
  [
    "when the build fails",
    { build: 'throw new Error("no such file: page.tsx");' },
    /no such file: page\.tsx/,
  ],
])("continues %s, and says so", async (_case, installation, sentence) => {
  const { root, lines, logger, shutdown } = await anInstallation(installation);

  await buildPagesOnce(logger, shutdown, root);

  expect(lines.join("")).toMatch(sentence);
});

it("ends the build with the start", async () => {
  const { root, lines, logger, shutdown } = await anInstallation({ build: "setInterval(() => {}, 1000);" });

  const building = buildPagesOnce(logger, shutdown, root);
  await shutdown.release();
  await building;

  expect(lines).toEqual([]);
});
