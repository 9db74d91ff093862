import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

interface Locked {
  readonly integrity?: string;
  readonly optional?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const { packages } = JSON.parse(
  readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8"),
) as { packages: Record<string, Locked> };
/** Builds for other machines that the registry of the last `npm run lockfile` did not serve. */
const UNSERVED = /^node_modules\/@chdb\/lib-/;

const unverified = Object.entries(packages).filter(
  ([path, { integrity }]) => path !== "" && integrity === undefined,
);

it("verifies each package by its hash, but builds for other machines that the registry did not serve", () => {
  expect(unverified.map(([path]) => path).filter((path) => !UNSERVED.test(path))).toEqual([]);
});

it("installs nothing without a hash on the machine of the image, and needs nothing without one", () => {
  for (const [path, { optional, os, cpu }] of unverified) {
    const fits = os?.includes("linux") === true && cpu?.includes("x64") === true && !path.endsWith("-musl");
    expect({ path, optional, fits }).toEqual({ path, optional: true, fits: false });
  }
});
