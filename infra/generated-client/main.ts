import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { processEnvironment } from "#libs/config/environment.ts";
import { freePort } from "#libs/process/ports.ts";
import { startProduct } from "../fuzz/product.ts";

// Generates clients in Python, Go and TypeScript from the description that the running product publishes, and makes a whole sale
// with each: what a program of another language can do with the description and nothing else. `CLIENT_TOOLS` is the folder that
// `infra/generated-client/install` filled. Ends with 1 when a generator warned or a sale did not go through.

const environment = processEnvironment();
const tools = environment.CLIENT_TOOLS ?? join(tmpdir(), "placard-client-tools");
const folder = await mkdtemp(join(tmpdir(), "placard-client-"));
const description = join(folder, "openapi.json");

type Command = readonly [program: string, ...options: string[]];

/** The commands of each language, run in a copy of its folder: one generates the client, the last sells with it. */
function commandsOf(origin: string): Readonly<Record<string, readonly Command[]>> {
  const typescript = join(tools, "typescript", "node_modules", ".bin");
  const strict = ["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"];
  const asNode = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--allowImportingTsExtensions"];
  return {
    python: [
      [
        join(tools, "python", "bin", "openapi-python-client"),
        ...["generate", "--path", description, "--meta", "none"],
        ...["--config", "config.yaml", "--output-path", "placard_client", "--fail-on-warning"],
      ],
      [join(tools, "python", "bin", "python"), "sale.py", origin],
    ],
    go: [
      [join(tools, "go", "oapi-codegen"), "-config", "oapi-codegen.yaml", description],
      ["go", "run", ".", origin],
    ],
    typescript: [
      [
        join(typescript, "openapi-typescript"),
        description,
        ...["--default-non-nullable=false", "--output", "placard.d.ts"],
      ],
      [join(typescript, "tsc"), ...strict, ...asNode, "sale.ts"],
      [process.execPath, "sale.ts", origin],
    ],
  };
}

try {
  const product = await startProduct({ port: await freePort(), dataDir: join(folder, "data") });
  try {
    const published = await fetch(`${product.origin}/v1/openapi.json`);
    await writeFile(description, await published.text());
    await cp(import.meta.dirname, folder, { recursive: true });
    await symlink(join(tools, "typescript", "node_modules"), join(folder, "typescript", "node_modules"));
    for (const [language, commands] of Object.entries(commandsOf(product.origin))) {
      const at = join(folder, language);
      for (const command of commands) {
        if (await succeeds(command, at)) continue;
        console.error(`FAILED in ${language}: ${command.join(" ")}`);
        process.exitCode = 1;
        break;
      }
    }
  } finally {
    await product.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function succeeds([program, ...options]: Command, cwd: string): Promise<boolean> {
  // The generator of Python looks for the formatter that is installed beside it.
  const path = [join(tools, "python", "bin"), environment.PATH].join(":");
  const running = spawn(program, options, {
    cwd,
    stdio: "inherit",
    env: { ...environment, PATH: path, PYTHONDONTWRITEBYTECODE: "1", GOFLAGS: "-mod=readonly" },
  });
  const [code] = await once(running, "exit");
  return code === 0;
}
