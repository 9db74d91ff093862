import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type Installation, spawnInstallation } from "../../services/standalone/tests/installation.ts";

/** The whole product as a test file has it. */
export interface Product {
  /** Where it is; only while tests run. */
  readonly origin: string;
  /** Its output, starting with the welcome. */
  readonly stdout: string;
  /** The folder that its mails are in. */
  readonly outbox: string;
}

/**
 * Starts the whole product on a free port and an empty data folder before the file's tests, and ends both after them.
 * The environment goes over `SEED=none`. Call it at the top of a file.
 */
export function startProduct(environment: Readonly<Record<string, string>> = {}): Product {
  let dataDir = "";
  let origin = "";
  let installation: Installation | undefined;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "placard-browser-"));
    installation = await spawnInstallation({ dataDir, environment });
    origin = await installation.origin();
  });
  afterAll(async () => {
    await installation?.stop().finally(() => installation?.cleanUp());
    await rm(dataDir, { recursive: true, force: true });
  });

  return {
    get origin() {
      if (origin === "")
        throw new Error("The product has not started yet: ask for its origin within a test.");
      return origin;
    },
    get stdout() {
      return installation?.stdout ?? "";
    },
    get outbox() {
      return join(dataDir, "outbox");
    },
  };
}
