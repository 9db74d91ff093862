import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { processEnvironment } from "#libs/config/environment.ts";

const REPOSITORY = join(import.meta.dirname, "..", "..");
const START_WITHIN_MS = 60_000;

export interface ProductOptions {
  readonly port: number;
  readonly dataDir: string;
  /** Over an empty product whose log has errors alone. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The whole product as a process of its own, once it is ready. Rejects if it is not ready within a minute. */
export async function startProduct({ port, dataDir, environment = {} }: ProductOptions) {
  const origin = `http://127.0.0.1:${port}`;
  const product = spawn(process.execPath, [join("services", "standalone", "main.ts")], {
    cwd: REPOSITORY,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      PATH: processEnvironment().PATH,
      DATA_DIR: dataDir,
      PORT: String(port),
      SEED: "none",
      LOG_LEVEL: "error",
      ...environment,
    },
  });
  const ended = once(product, "exit");
  const stop = async () => {
    product.kill("SIGINT");
    await ended;
  };

  const deadline = Date.now() + START_WITHIN_MS;
  while (Date.now() < deadline && product.exitCode === null) {
    const answer = await fetch(`${origin}/readyz`).catch(() => null);
    if (answer?.ok) return { origin, stop };
    await wait(100);
  }
  await stop();
  throw new Error("The product did not get ready.");
}
