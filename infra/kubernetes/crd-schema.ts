// Makes JSON schemas, one a version, of a CustomResourceDefinition: crd-schema.ts DEFINITION.yaml FOLDER
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { z } from "zod";

const definition = z.object({
  spec: z.object({
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({
        name: z.string(),
        schema: z.object({ openAPIV3Schema: z.record(z.string(), z.unknown()) }),
      }),
    ),
  }),
});

const [file = "", folder = ""] = process.argv.slice(2);
const { spec } = definition.parse(parse(readFileSync(file, "utf8")));
for (const { name, schema } of spec.versions) {
  const path = join(folder, `${spec.names.kind.toLowerCase()}_${name}.json`);
  writeFileSync(path, JSON.stringify(strict(schema.openAPIV3Schema)));
}

/** An object that lists its properties has no others, unless it says so. */
function strict(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strict);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, child]) => [key, strict(child)] as const);
  const isClosed = "properties" in value && !("additionalProperties" in value) && value.properties !== null;
  const leavesOpen = "x-kubernetes-preserve-unknown-fields" in value;
  return Object.fromEntries(
    isClosed && !leavesOpen ? [...entries, ["additionalProperties", false] as const] : entries,
  );
}
