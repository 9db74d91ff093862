import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { isId } from "#libs/domain/ids.ts";

/** What lets the holder of a link end an advertiser's reports, and nothing else. It has no end, as mails are kept. */
export interface UnsubscribeTokens {
  sign(advertiserId: string): string;
  /** The advertiser that the token was signed for; null for any other text. */
  read(token: string): string | null;
}

/** Tokens under a key of their own, derived from a secret of the installation of at least 32 random characters. */
export function createUnsubscribeTokens(secret: string): UnsubscribeTokens {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "unsubscribe from reports", 32));
  const seal = (advertiserId: string) => createHmac("sha256", key).update(advertiserId).digest();

  return {
    sign: (advertiserId) => `${advertiserId}.${seal(advertiserId).toString("base64url")}`,
    read(token) {
      const [advertiserId = "", given = "", ...more] = token.split(".");
      if (more.length > 0 || !isId("advertiser", advertiserId)) return null;
      const expected = seal(advertiserId);
      const sealed = Buffer.from(given, "base64url");
      return sealed.length === expected.length && timingSafeEqual(sealed, expected) ? advertiserId : null;
    },
  };
}
