import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";
import { writeDurably } from "#libs/files/index.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { deriveSecrets, type Secrets, StartError } from "#libs/process/index.ts";

const secretsFile = z.object({
  /** Signs session cookies. */
  sessions: z.string().min(32),
  /** Keys the rotation, so that outsiders cannot compute the order. */
  rotation: z.string().min(32),
  /** Signs grants of uploads to the data folder. */
  uploads: z.string().min(32),
  /** The sandbox's API key, and what its webhooks are signed with. */
  sandboxKey: z.string().min(32),
  sandboxWebhooks: z.string().min(32),
});

type OwnSecrets = z.infer<typeof secretsFile>;

/** The secrets of an installation on one machine, with the one that signs grants of uploads to its data folder. */
export type InstallationSecrets = Secrets & { readonly uploads: string };

/**
 * The installation's own secrets, made at the first start. Those that other processes may share come from `secretKeys`, where there
 * are any; what was made under the file's is accepted then as well. Throws `StartError` when the file is damaged.
 */
export async function openSecrets(
  file: string,
  secretKeys: KeyRing | undefined,
): Promise<InstallationSecrets> {
  const { uploads, ...own } = existsSync(file) ? readSecrets(file) : await makeSecrets(file);
  const kept: Secrets = {
    ...own,
    sessions: [own.sessions],
    // Files have none for proofs: earlier releases made them without.
    proofs: deriveSecrets([own.sessions]).proofs,
    sandboxWebhooks: [own.sandboxWebhooks],
  };
  if (secretKeys === undefined) return { uploads, ...kept };
  const derived = deriveSecrets(secretKeys);
  return {
    uploads,
    ...derived,
    sessions: [...derived.sessions, ...kept.sessions],
    proofs: [...derived.proofs, ...kept.proofs],
    sandboxWebhooks: [...derived.sandboxWebhooks, ...kept.sandboxWebhooks],
  };
}

async function makeSecrets(file: string): Promise<OwnSecrets> {
  const fresh: OwnSecrets = {
    sessions: newSecret(),
    rotation: newSecret(),
    uploads: newSecret(),
    sandboxKey: `sk_test_${newSecret()}`,
    sandboxWebhooks: `whsec_${newSecret()}`,
  };
  await writeDurably(file, `${JSON.stringify(fresh, null, 2)}\n`);
  return fresh;
}

function readSecrets(file: string): OwnSecrets {
  try {
    return secretsFile.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    throw new StartError(
      `The file ${file} is damaged; restore it, or remove it to get new secrets (everybody is then signed out, and two-factor sign-in has to be set up again).`,
      { cause: error },
    );
  }
}

function newSecret(): string {
  return randomBytes(32).toString("base64url");
}
