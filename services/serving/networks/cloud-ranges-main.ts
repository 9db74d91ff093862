import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { writeDurably } from "#libs/files/index.ts";
import { commandLine } from "#libs/process/index.ts";
import { CLOUD_RANGES, listOfNetworks, readCloudRanges } from "./cloud-ranges.ts";

const ANSWERS_WITHIN_MS = 60_000;
const READABLE_BY_ALL = 0o644;
const USE = `Use: ${commandLine("operate:cloud-networks", "--out FILE [--only] [FILE or https address ...]")}`;

/** Writes a list of the networks of clouds. If a source cannot be read, the file stays as it is. */
async function write(typed: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...typed],
    options: { out: { type: "string" }, only: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  if (values.out === undefined) throw new Error(USE);
  const sources = [];
  for (const source of [...(values.only ? [] : CLOUD_RANGES), ...positionals]) {
    const networks = await readCloudRanges(source, await read(source));
    process.stdout.write(`${networks.length} networks: ${source}\n`);
    sources.push({ source, networks });
  }
  if (sources.length === 0) throw new Error(USE);
  await writeDurably(values.out, await listOfNetworks(sources, new Date()), READABLE_BY_ALL);
  process.stdout.write(`${values.out} is written.\n`);
}

async function read(source: string): Promise<string> {
  if (!/^https?:/.test(source)) return await readFile(source, "utf8");
  if (!source.startsWith("https:")) throw new Error(`${source} is not encrypted. Use an https address.`);
  try {
    const answer = await fetch(source, { signal: AbortSignal.timeout(ANSWERS_WITHIN_MS) });
    if (!answer.ok) throw new Error(`it answers ${answer.status}`);
    return await answer.text();
  } catch (error) {
    throw new Error(`${source} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
}

try {
  await write(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
