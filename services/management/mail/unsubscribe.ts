import { type IdKind, isId } from "#libs/domain/ids.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import { createSeals } from "../api/seals.ts";

const READERS = ["advertiser", "member"] as const satisfies readonly IdKind[];

/** Who gets reports by email. */
export interface Reader {
  readonly kind: (typeof READERS)[number];
  readonly id: string;
}

/** Tokens that let the holder of a link end a reader's reports, and nothing else. They never expire, as emails are kept. */
export interface UnsubscribeTokens {
  /** A token for an advertiser or a member. */
  sign(readerId: string): string;
  /** Whom the token was signed for; null for any other text. */
  read(token: string): Reader | null;
}

/** Tokens under their own keys, derived from secrets of the installation of at least 32 random characters. */
export function createUnsubscribeTokens(secrets: KeyRing): UnsubscribeTokens {
  const seals = createSeals(secrets, "unsubscribe from reports");
  return {
    sign: (readerId) => `${readerId}.${seals.of(readerId)}`,
    read(token) {
      const [id = "", seal = "", ...more] = token.split(".");
      const kind = READERS.find((one) => isId(one, id));
      return more.length === 0 && kind !== undefined && seals.isOf(id, seal) ? { kind, id } : null;
    },
  };
}
