// Drops from node_modules what no program here reads, a tenth of a gigabyte: the headers of the Node that `npm ci` brings, for
// which nothing is compiled, and the Java build of the check of regular expressions, where its native build is.
import { existsSync, globSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const PACKAGES = fileURLToPath(new URL("../../node_modules", import.meta.url));
const NATIVE_CHECK = "recheck-{linux,macos,windows}-*/package.json";

const unused = globSync("node-*/include", { cwd: PACKAGES });
if (globSync(NATIVE_CHECK, { cwd: PACKAGES }).length > 0) unused.push("recheck-jar/recheck.jar");
for (const path of unused.map((part) => join(PACKAGES, part)))
  if (existsSync(path)) rmSync(path, { recursive: true });
