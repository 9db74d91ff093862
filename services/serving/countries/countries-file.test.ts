import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type CountriesFile, openCountriesFile } from "./countries-file.ts";
import { EXAMPLE, exampleWith } from "./tests/mmdb.ts";

const BRITISH = "81.2.69.160";

let file: string;
let countries: CountriesFile | undefined;
let warnings: string[];

beforeEach(async () => {
  file = join(await aFolder(), "countries.mmdb");
  warnings = [];
});
afterEach(async () => {
  countries?.close();
  countries = undefined;
});

async function open(): Promise<CountriesFile> {
  countries = await openCountriesFile({
    file,
    setting: "GEOIP_FILE",
    onWarning: (message) => warnings.push(message),
    checkEveryMs: 5,
  });
  return countries;
}

async function replace(content: Buffer): Promise<void> {
  await writeFile(`${file} new`, content);
  await rename(`${file} new`, file);
}

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000, interval: 5 });

it("answers by the new file once it is replaced, or written in place", async () => {
  await writeFile(file, EXAMPLE);
  const opened = await open();
  expect(opened.of(BRITISH)).toBe("GB");

  await replace(exampleWith("IE"));
  await until(() => opened.of(BRITISH) === "IE");
  await writeFile(file, exampleWith("FR"));
  await until(() => opened.of(BRITISH) === "FR");

  expect(opened.state()).toMatchObject({ isCurrent: true, failures: 0 });
  expect(warnings).toEqual([]);
});

it("keeps the last good file while the new one is half written, says so once, and takes the next", async () => {
  await writeFile(file, EXAMPLE);
  const opened = await open();

  await replace(EXAMPLE.subarray(0, 10_000));
  await until(() => !opened.state().isCurrent);
  expect(opened.of(BRITISH)).toBe("GB");
  await replace(EXAMPLE.subarray(0, 11_000));
  await until(() => opened.state().failures > 1);
  expect(opened.of(BRITISH)).toBe("GB");

  await replace(exampleWith("IE"));
  await until(() => opened.of(BRITISH) === "IE");
  expect(opened.state().isCurrent).toBe(true);
  expect(warnings).toEqual([
    "GEOIP_FILE cannot be used: it is no MaxMind DB file (.mmdb), or it is cut off. The last good file stays in use.",
  ]);
});

it("keeps the last good file while there is none", async () => {
  await writeFile(file, EXAMPLE);
  const opened = await open();

  await rename(file, `${file} away`);
  await until(() => opened.state().failures > 2);

  expect(opened.of(BRITISH)).toBe("GB");
  expect(warnings).toEqual([expect.stringContaining("ENOENT")]);
});
