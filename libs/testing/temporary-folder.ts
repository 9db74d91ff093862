import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder. It is removed after the test and its `afterEach`, or at a moment that the caller names, such as `afterAll`. */
export async function aFolder(
  removeAt: (remove: () => Promise<void>) => void = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "placard-"));
  removeAt(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
