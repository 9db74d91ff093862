import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { ControlledLog } from "../tests/controlled-log.ts";
import { openSpill } from "./spill.ts";

const PROGRAM = fileURLToPath(new URL("../tests/spilling-process.ts", import.meta.url));
const WAIT = { timeout: 20_000, interval: 2 };

let folder: string;
let notes: string;

beforeEach(async () => {
  folder = await aFolder();
  notes = join(folder, "acknowledged");
});

it("replays everything that was acknowledged before a kill, life after life", async () => {
  for (let life = 0; life < 3; life++) {
    const child = spawn(process.execPath, [PROGRAM, join(folder, "spill"), notes, "1000000"], {
      stdio: "ignore",
    });
    const exit = once(child, "exit");
    const more = (await bytesOf(notes)) + Math.floor(Math.random() * 20_000);
    await vi.waitUntil(async () => (await bytesOf(notes)) > more, WAIT);
    child.kill("SIGKILL");
    expect(await exit).toEqual([null, "SIGKILL"]);
  }

  const { names, warnings } = await drain();

  const acknowledged = await acknowledgedNames();
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
  expect(warnings).toEqual([]);
});

it("refuses what the disk does not take, keeps what it took, and says so", async () => {
  // Files of this process may have 64 KiB: what a full disk is to the one who writes.
  const limited = `ulimit -f 64; exec "$@"`;
  const arguments_ = ["-c", limited, "bash", process.execPath, PROGRAM, join(folder, "spill"), notes, "4000"];
  const child = spawn("bash", arguments_, { stdio: ["ignore", "inherit", "pipe"] });
  const said: string[] = [];
  child.stderr.setEncoding("utf8").on("data", (text: string) => said.push(text));

  const [code] = await once(child, "close");
  const { names } = await drain();

  expect(code).toBe(0);
  expect(said.join("")).toMatch(/The spill cannot be written to .+ Events are refused until that ends\./);
  const acknowledged = await acknowledgedNames();
  expect(acknowledged.length).toBeGreaterThan(0);
  expect(acknowledged.filter((name) => !names.has(name))).toEqual([]);
});

async function drain(): Promise<{ names: Set<string>; warnings: string[] }> {
  const log = new ControlledLog();
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const spill = await openSpill(log, { folder: join(folder, "spill"), quarantineMs: 0, onWarning });
  await vi.waitUntil(() => spill.spillState().waitingBytes === 0, WAIT);
  await spill.close();
  const all = log.taken.map(({ rows }) => rows.toString()).join("");
  const names = new Set(Array.from(all.matchAll(/"(.*?)"/g), ([, name = ""]) => name));
  return { names, warnings };
}

async function acknowledgedNames(): Promise<string[]> {
  return (await readFile(notes, "utf8")).split("\n").slice(0, -1);
}

async function bytesOf(file: string): Promise<number> {
  return stat(file).then(
    ({ size }) => size,
    () => 0,
  );
}
