import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import { freePort } from "#libs/process/ports.ts";
import { startProduct } from "../fuzz/product.ts";

// Generates a Python client from the description that the running product publishes, and makes a whole sale with it:
// what a program of another language can do with the description and nothing else. `CLIENT_TOOLS` names the folder of
// `openapi-python-client` with its `python`. Ends with 1 when the generator warned or the sale did not go through.

const environment = processEnvironment();
const tools = environment.CLIENT_TOOLS;
const path = [tools, environment.PATH].filter((part) => part !== undefined).join(delimiter);
const folder = await mkdtemp(join(tmpdir(), "placard-client-"));

try {
  const product = await startProduct({ port: await freePort(), dataDir: join(folder, "data") });
  try {
    const description = `${product.origin}/v1/openapi.json`;
    const client = join(folder, "placard_client");
    const generated = await succeeds("openapi-python-client", [
      ...["generate", "--url", description, "--meta", "none", "--output-path", client, "--fail-on-warning"],
    ]);
    const sold =
      generated && (await succeeds("python", [join(import.meta.dirname, "sale.py"), folder, product.origin]));
    if (!sold) process.exitCode = 1;
  } finally {
    await product.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function succeeds(program: string, options: readonly string[]): Promise<boolean> {
  const running = spawn(program, options, {
    cwd: folder,
    stdio: "inherit",
    env: { ...environment, PATH: path, PYTHONDONTWRITEBYTECODE: "1" },
  });
  const [code] = await once(running, "exit");
  return code === 0;
}
