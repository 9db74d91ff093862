import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { deriveSecrets, StartError } from "#libs/process/index.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { openSecrets } from "./secrets.ts";

const SECRET_KEY = "a-secret-of-more-than-thirty-two-characters";

async function aFile(): Promise<string> {
  return join(await aFolder(), "secrets.json");
}

it("keeps an installation's secrets over restarts, each another, also what its file does not have", async () => {
  const file = await aFile();

  const made = await openSecrets(file, undefined);
  const again = await openSecrets(file, undefined);

  expect(again).toEqual(made);
  expect(new Set(Object.values(made).flat()).size).toBe(Object.keys(made).length);
  expect(made.proofs[0]).toHaveLength(43);
  expect(await readFile(file, "utf8")).not.toContain(made.proofs[0]);
});

it("takes what processes share from the secret key, its own from the file, and accepts what the file's secrets made", async () => {
  const file = await aFile();
  const own = await openSecrets(file, undefined);

  const shared = await openSecrets(file, [SECRET_KEY]);

  const derived = deriveSecrets([SECRET_KEY]);
  expect(shared).toEqual({
    ...derived,
    uploads: own.uploads,
    sessions: [...derived.sessions, ...own.sessions],
    proofs: [...derived.proofs, ...own.proofs],
    sandboxWebhooks: [...derived.sandboxWebhooks, ...own.sandboxWebhooks],
  });
});

it("refuses a damaged file rather than to sign everybody out", async () => {
  const file = await aFile();
  await writeFile(file, "{");

  await expect(openSecrets(file, undefined)).rejects.toThrow(StartError);
});
