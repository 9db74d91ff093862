import { readFileSync } from "node:fs";
import { z } from "zod";

const PACKAGE = new URL("../../package.json", import.meta.url);
const packageFile = z.object({ scripts: z.record(z.string(), z.string()) });

/** The flags that the npm script of that name gives to Node. */
export function startFlags(script: string): string[] {
  const { scripts } = packageFile.parse(JSON.parse(readFileSync(PACKAGE, "utf8")));
  return (scripts[script] ?? "").split(" ").filter((word) => word.startsWith("--"));
}
