// slim.ts FOLDER: removes from installed packages what no program reads: source maps, types, and pages for people, but for licences.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

const UNREAD = /\.(?:map|md|markdown|d\.ts|d\.mts|d\.cts|tsbuildinfo|flow)$/i;
const LICENCE = /^(?:licen[cs]e|notice|copying|authors|third)/i;

const [folder = ""] = process.argv.slice(2);
if (!folder.endsWith("node_modules")) throw new Error("Use: slim.ts …/node_modules");
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  const isUnread = entry.isFile() && UNREAD.test(entry.name) && !LICENCE.test(entry.name);
  if (isUnread) rmSync(join(entry.parentPath, entry.name));
}
rmSync(join(folder, "@types"), { recursive: true, force: true });
