import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { TEMPORARY_FILES } from "./libs/testing/temporary-files.ts";

/** Each of these runs the whole product, most of them several times. */
const WHOLE_PRODUCT = "services/standalone/tests/**/*.test.ts";
/** These need what infra/native/up starts. */
const ON_ENGINES = "**/*.engine.test.ts";
/** These drive Debian's chromium over pages that `npm run build` has made. */
const IN_BROWSER = "**/*.browser.test.ts";
/** These attack every route with every caller, and take a minute. */
const ATTACKS = "infra/attack/**/*.attack.test.ts";

/** For tests of what a killed process leaves, not of what a power failure does: those are in `infra/faults/power`. */
const FILES_IN_MEMORY = { TMPDIR: TEMPORARY_FILES };

export default defineConfig({
  test: {
    globalSetup: [
      "libs/testing/temporary-files.ts",
      "libs/database/testing-setup.ts",
      "libs/stats-store/testing-setup.ts",
    ],
    // What hangs is found after three minutes as well, and a busy machine takes ten times as long as an idle one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    // For what is waited for without a promise of how long it takes: a second is short where a machine is busy.
    expect: { poll: { timeout: 20_000 } },
    // One for each core, and one for while they wait; vitest by itself would leave a core idle, which of two is half.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: "parts",
          env: FILES_IN_MEMORY,
          // Modules are loaded once a worker, not once a file, which halves the time: none of them keeps state that a
          // test could leave to the next.
          isolate: false,
          include: ["{libs,services,infra,loadtest}/**/*.test.{ts,tsx}"],
          exclude: [...configDefaults.exclude, WHOLE_PRODUCT, ON_ENGINES, IN_BROWSER, ATTACKS],
        },
      },
      {
        extends: true,
        test: {
          name: "product",
          env: FILES_IN_MEMORY,
          include: [WHOLE_PRODUCT],
          exclude: [...configDefaults.exclude, ON_ENGINES, IN_BROWSER],
        },
      },
      {
        extends: true,
        test: {
          name: "engines",
          include: [ON_ENGINES],
          globalSetup: ["infra/native/require-engines.ts"],
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          env: FILES_IN_MEMORY,
          include: [IN_BROWSER],
          // Each runs a browser, and most of them the whole product.
          maxWorkers: 2,
        },
      },
      {
        extends: true,
        test: {
          name: "attack",
          include: [ATTACKS],
          testTimeout: 600_000,
          // Each measures how long a second client waits, which another file's load would lengthen.
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          name: "pictures",
          include: ["infra/browser/take-pictures.ts"],
        },
      },
    ],
  },
});
