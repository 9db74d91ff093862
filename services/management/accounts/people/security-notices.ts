import type { BetterAuthPlugin, User } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { type SecurityChange, securityNotice } from "../../mail/account-letters.ts";
import { mailLinks } from "../../mail/links.ts";
import { mailPerson, type PersonMailPorts } from "./mail-person.ts";

/** The changes that a person gets an email about, because somebody else may have made them. */
const CHANGES: Readonly<Record<string, SecurityChange>> = {
  "/two-factor/disable": "two-factor-off",
  "/two-factor/generate-backup-codes": "recovery-codes-replaced",
  "/two-factor/verify-backup-code": "recovery-code-used",
  "/passkey/verify-registration": "passkey-added",
  "/passkey/delete-passkey": "passkey-removed",
};

/** Emails people about each change to how they sign in. */
export function securityNotices(ports: PersonMailPorts, publicUrl: URL): BetterAuthPlugin {
  return {
    id: "security-notices",
    hooks: {
      after: [
        {
          matcher: ({ path }) => path !== undefined && path in CHANGES,
          handler: createAuthMiddleware(async (ctx) => {
            const change = CHANGES[ctx.path];
            if (change === undefined || isAPIError(ctx.context.returned)) return;
            const person = ctx.context.newSession?.user ?? (await getSessionFromCtx(ctx))?.user;
            if (person === undefined) return;
            await mailSecurityNotice(ports, publicUrl, person, change);
          }),
        },
      ],
    },
  };
}

/** Emails one person about a change to how they sign in. */
export async function mailSecurityNotice(
  ports: PersonMailPorts,
  publicUrl: URL,
  person: Pick<User, "id" | "name" | "email">,
  change: SecurityChange,
): Promise<void> {
  const url = mailLinks(publicUrl).account();
  await mailPerson(ports, change, person, securityNotice({ name: person.name, change, url }));
}
