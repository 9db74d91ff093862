import { passkey } from "@better-auth/passkey";
import { APIError } from "better-auth/api";
import type { Kysely } from "kysely";
import type { Tables } from "#libs/database/tables.ts";

/** Per person; nobody has more devices. */
const MOST_PASSKEYS = 20;

/**
 * Sign-in with passkeys, which replace both password and second factor. The device must verify its owner (by a fingerprint or a
 * PIN), or the passkey would be only one factor.
 */
export function passkeySignIn(db: Kysely<Tables>, publicUrl: URL, origins: readonly string[]) {
  return passkey({
    rpID: relyingParty(publicUrl),
    rpName: "Placard",
    origin: [...origins],
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    advanced: { webAuthnChallengeCookie: "passkey_challenge" },
    registration: {
      afterVerification: async ({ verification, user }) => {
        if (verification.registrationInfo?.userVerified !== true) throw unverified();
        const { kept } = await db
          .selectFrom("passkeys")
          .where("person_id", "=", user.id)
          .select(({ fn }) => fn.countAll<number>().as("kept"))
          .executeTakeFirstOrThrow();
        if (kept >= MOST_PASSKEYS) {
          const message = `You have ${MOST_PASSKEYS} passkeys already. Remove one that you no longer use.`;
          throw new APIError("CONFLICT", { code: "TOO_MANY_PASSKEYS", message });
        }
      },
    },
    authentication: {
      afterVerification: async ({ verification }) => {
        if (!verification.authenticationInfo.userVerified) throw unverified();
      },
    },
    schema: {
      passkey: {
        modelName: "passkeys",
        fields: {
          userId: "person_id",
          publicKey: "public_key",
          credentialID: "credential_id",
          deviceType: "device_type",
          backedUp: "backed_up",
          createdAt: "created_at",
        },
      },
    },
  });
}

/** The domain of the passkeys. Browsers accept no IP address here, so a local installation has them only at `localhost`. */
function relyingParty({ hostname }: URL): string {
  return hostname === "127.0.0.1" ? "localhost" : hostname;
}

function unverified(): APIError {
  const message = "Your device did not verify you. Use one with a fingerprint, a face or a PIN.";
  return new APIError("BAD_REQUEST", { code: "USER_VERIFICATION_REQUIRED", message });
}
