import { mkdir, rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextRound } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type NetworksFile, openNetworksFile } from "./networks-file.ts";

let folder: string;
let file: string;
let networks: NetworksFile | undefined;
let warnings: string[];

beforeEach(async () => {
  folder = await aFolder();
  file = join(folder, "blocked.txt");
  warnings = [];
});
afterEach(async () => {
  networks?.close();
  networks = undefined;
});

async function open(path = file): Promise<NetworksFile> {
  networks = await openNetworksFile({
    file: path,
    setting: "BLOCKED_NETWORKS_FILE",
    onWarning: (message) => warnings.push(message),
    checkEveryMs: 5,
  });
  return networks;
}

async function replace(text: string): Promise<void> {
  await writeFile(join(folder, "new"), text);
  await rename(join(folder, "new"), file);
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000, interval: 5 });

it("finds a list that is written in place, replaced by another file, or behind a link that leads elsewhere", async () => {
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  await Promise.all([mkdir(one), mkdir(two)]);
  await writeFile(join(one, "list"), "192.0.2.0/24\n");
  await writeFile(join(two, "list"), "203.0.113.4\n203.0.113.5\n203.0.113.6\n");
  // As Kubernetes shows a ConfigMap: the file is a link through a link to a folder.
  await symlink("one", join(folder, "..data"));
  await symlink("..data/list", file);
  const blocked = await open();
  expect([blocked.has("192.0.2.1"), blocked.state().entries]).toEqual([true, 1]);

  await symlink("two", join(folder, "..data_tmp"));
  await rename(join(folder, "..data_tmp"), join(folder, "..data"));
  await until(() => blocked.has("203.0.113.5"));
  expect([blocked.has("192.0.2.1"), blocked.state().entries]).toEqual([false, 3]);

  await replace("198.51.100.0/24\n2001:db8::/32\n");
  await until(() => blocked.has("198.51.100.200"));
  expect(blocked.state()).toMatchObject({ entries: 2, isCurrent: true, failures: 0 });

  await writeFile(file, "# nobody is blocked any more\n");
  await until(() => !blocked.has("198.51.100.200"));
  expect(warnings).toEqual([]);
});

it("keeps the last good list while the new one is none, says once which line is wrong, and takes the next", async () => {
  await writeFile(file, "192.0.2.0/24\n");
  const blocked = await open();
  const before = blocked.state();

  await replace("203.0.113.0/24\n203.0.113.x\n");
  await until(() => !blocked.state().isCurrent);
  expect([blocked.has("192.0.2.1"), blocked.has("203.0.113.1")]).toEqual([true, false]);
  expect(blocked.state()).toEqual({ ...before, isCurrent: false, failures: 1 });

  await replace("203.0.113.0/24\n");
  await until(() => blocked.state().isCurrent);
  expect([blocked.has("192.0.2.1"), blocked.has("203.0.113.1")]).toEqual([false, true]);
  expect(warnings).toEqual([
    'BLOCKED_NETWORKS_FILE cannot be used: line 2 is no network: "203.0.113.x". The last good file stays in use.',
  ]);
});

it("blocks by the whole of the old list until it has read the whole of a new one", async () => {
  await writeFile(file, "192.0.2.0/24\n2001:db8::/32\n");
  const blocked = await open();
  const asked = ["192.0.2.1", "2001:db8::1", "10.0.0.1", "10.0.195.79", "fe80::1"];
  const answers = new Set<string>();
  const ask = () => answers.add(asked.map((address) => Number(blocked.has(address))).join(""));

  const addresses = Array.from({ length: 50_000 }, (_, n) => `10.0.${n >> 8}.${n & 255}`);
  await replace(`${addresses.join("\n")}\nfe80::/16\n`);
  const started = Date.now();
  while (blocked.state().entries !== 50_001 && Date.now() - started < 20_000) {
    ask();
    await nextRound();
  }
  ask();

  expect([...answers]).toEqual(["11000", "00111"]);
});

it("keeps the last good list while the file is missing, and is current again when it is back", async () => {
  await writeFile(file, "192.0.2.0/24\n");
  const blocked = await open();

  await rename(file, join(folder, "away"));
  await until(() => blocked.state().failures > 2);
  expect([blocked.has("192.0.2.1"), blocked.state().isCurrent]).toEqual([true, false]);

  await rename(join(folder, "away"), file);
  await until(() => blocked.state().isCurrent);
  expect(warnings).toHaveLength(1);
});

it.each([
  ["a mistake", () => writeFile(file, "192.0.2.0/24\nnonsense\n"), "line 2 is no network"],
  ["no file", async () => undefined, "ENOENT"],
  ["a folder", () => mkdir(file), "it is not a file"],
  ["a huge file", () => writeFile(file, "#".repeat(4 * 1024 * 1024 + 1)), "it is larger than 4 MiB"],
])("does not open %s", async (_name, make, reason) => {
  await make();

  await expect(open()).rejects.toThrow(reason);
});
