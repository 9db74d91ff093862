import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { keepTickShape } from "#libs/http/tick-shape.ts";

/** Puts the process in order for the program that it is going to load. Imports next to nothing itself. */
export async function prepareProcess(): Promise<void> {
  // Loading takes a third less where it finds what an earlier start compiled; where nothing can be written, nothing is kept.
  enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/placard", import.meta.url)));
  // What is written from here on is the owner's alone. Existing files keep their modes.
  process.umask(0o077);
  // Before the program is loaded: that alone makes enough garbage for the first full collection.
  await keepTickShape();
}
