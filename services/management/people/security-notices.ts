import type { BetterAuthPlugin } from "better-auth";
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { SecurityChange } from "../mails/language.ts";
import { securityMail } from "./mails.ts";
import { type MailingServices, tellPerson } from "./tell-person.ts";

/** The changes that a person gets a mail about, because somebody else may have made them. */
const CHANGES: Readonly<Record<string, SecurityChange>> = {
  "/two-factor/disable": "two-factor-off",
  "/two-factor/generate-backup-codes": "recovery-codes-replaced",
  "/two-factor/verify-backup-code": "recovery-code-used",
  "/passkey/verify-registration": "passkey-added",
  "/passkey/delete-passkey": "passkey-removed",
};

/** Mails people about each change of how they sign in. */
export function securityNotices(services: MailingServices, publicUrl: URL): BetterAuthPlugin {
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
            await tellPerson(services, change, person.id, securityMail(publicUrl, person, change));
          }),
        },
      ],
    },
  };
}
