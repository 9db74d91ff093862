import { conflict, httpError, invalidInput, tooManyRequests } from "#libs/http/index.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { api, forSignedIn } from "../api.ts";
import { erasePerson } from "./erase-person.ts";
import { sendExport } from "./send-export.ts";

/** So that nobody who has stolen a session can guess the password here. */
const DELETE_RATE: RateRule = { name: "account-delete", points: 10, durationSeconds: 60 * 60 };

/** Deleting and exporting one's own account. */
export const accountRoutes = {
  delete: forSignedIn(api.account.delete, async ({ input, context: { services, reply, access } }) => {
    const { personId } = access.actor;
    const rate = await services.limits.consume(DELETE_RATE, personId);
    if (!rate.allowed) throw tooManyRequests(rate.resetMs);
    const confirmation = await services.people.confirm(reply.request.headers, personId, input.password);
    if (confirmation === "wrong-password") {
      throw invalidInput({ fieldErrors: { password: ["This is not your password."] } });
    }
    if (confirmation === "sign-in-again") {
      throw httpError("FORBIDDEN", "Sign in again, then delete your account within ten minutes.");
    }
    const ownerless = await services.db.transaction().execute((trx) => erasePerson(trx, personId));
    if (ownerless.length > 0) {
      const names = ownerless.map((name) => `“${name}”`).join(", ");
      throw conflict({
        formErrors: [
          `You are the only Owner of ${names}. Delete each of these workspaces or make another member its Owner first.`,
        ],
      });
    }
    return { success: true };
  }),

  export: forSignedIn(api.account.export, async ({ context: { services, reply, access } }) => {
    const { personId } = access.actor;
    return await sendExport(services, reply, personId, { kind: "person", id: personId });
  }),
};
