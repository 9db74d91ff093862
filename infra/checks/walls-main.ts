// npm run walls [-- folder]: every breach of the walls, or those that mention the folder.
import { resolve } from "node:path";
import { findBreaches, readSources } from "./walls.ts";

const [wanted = ""] = process.argv.slice(2);
const breaches = findBreaches(readSources(resolve(import.meta.dirname, "../..")));
const shown = breaches.filter((breach) => breach.includes(wanted));
for (const breach of shown) console.log(breach);
console.log(`${shown.length} breaches`);
process.exitCode = shown.length === 0 ? 0 : 1;
