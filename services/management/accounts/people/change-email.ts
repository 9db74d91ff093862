import { hash, randomBytes } from "node:crypto";
import type { BetterAuthPlugin, User } from "better-auth";
import { APIError, createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { z } from "zod";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { emailChangeLetter, emailChangeNotice, emailTakenLetter } from "../../mail/account-letters.ts";
import { isWithinLimit, queueLetter } from "../../mail/delivery.ts";
import { mailLinks } from "../../mail/links.ts";
import { keepEmailChange, type NewEmail, replaceEmail, takeEmailChange } from "./email-change-queries.ts";
import { mailPerson, type PersonMailPorts } from "./mail-person.ts";

const LINK_MS = 60 * 60_000;
/** Per person, who could otherwise send emails to strangers through us. */
const REQUEST_RATE: RateRule = { name: "email-change", points: 5, durationSeconds: 60 * 60 };
/** Confirmations to one address, at the request of all people together. */
const RECIPIENT_RATE: RateRule = { name: "mail-email-change", points: 5, durationSeconds: 24 * 60 * 60 };

interface EmailChangePorts extends PersonMailPorts {
  readonly publicUrl: URL;
  /** Whether the new address has to be confirmed. */
  readonly verifyEmail: boolean;
}

/**
 * Changes the email address that a person signs in with. It takes the password and, if mail is configured, a link in an email to
 * the new address, which only that person can use, once, within an hour. The old address receives a notice. A request for an
 * address that already has an account gets the same answer. Without mail, the address changes immediately.
 *
 * better-auth's own change asks for no password, and its link signs in anybody who opens it.
 */
export function changeOfEmail(options: EmailChangePorts) {
  return {
    id: "change-of-email",
    endpoints: {
      requestEmailChange: createAuthEndpoint(
        "/email-change/request",
        {
          method: "POST",
          body: z.object({ newEmail: z.string(), password: z.string() }),
          use: [sessionMiddleware],
        },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          const { newEmail } = ctx.body;
          await ctx.context.password.checkPassword(user.id, ctx);
          if (newEmail === user.email) {
            const message = "This is your address already.";
            throw new APIError("BAD_REQUEST", { code: "EMAIL_UNCHANGED", message });
          }
          const rate = await options.limits.consume(REQUEST_RATE, user.id);
          if (!rate.allowed) {
            const message = "Too many changes of your email address. Try again in an hour.";
            throw new APIError("TOO_MANY_REQUESTS", { code: "TOO_MANY_EMAIL_CHANGES", message });
          }
          if (options.verifyEmail) await askForConfirmation(options, user, newEmail);
          else
            await changeNow(options, user, { email: newEmail, isVerified: false, keptToken: session.token });
          return ctx.json({ isChanged: !options.verifyEmail });
        },
      ),
      confirmEmailChange: createAuthEndpoint(
        "/email-change/confirm",
        { method: "POST", body: z.object({ token: z.string() }), use: [sessionMiddleware] },
        async (ctx) => {
          const { user, session } = ctx.context.session;
          const email = await confirm(options, ctx.body.token, user.id, session.token);
          return ctx.json({ email });
        },
      ),
    },
  } satisfies BetterAuthPlugin;
}

async function askForConfirmation(
  options: EmailChangePorts,
  person: Pick<User, "id" | "name" | "email">,
  newEmail: string,
): Promise<void> {
  const { db, publicUrl } = options;
  const token = randomBytes(32).toString("base64url");
  await keepEmailChange(db, person.id, {
    new_email: newEmail,
    token_hash: hashToken(token),
    expires_at: new Date(Date.now() + LINK_MS),
  });
  const notice = emailChangeNotice({ name: person.name, newEmail, isDone: false });
  await mailPerson(options, "email-change", person, notice);
  const owner = await db.selectFrom("people").where("email", "=", newEmail).select("id").executeTakeFirst();
  if (!(await isWithinLimit(options, RECIPIENT_RATE, newEmail, { personId: person.id }))) return;
  const links = mailLinks(publicUrl);
  const letter =
    owner === undefined
      ? emailChangeLetter({ url: links.confirmEmail(token) })
      : emailTakenLetter({ url: links.signIn() });
  await queueLetter(db, { to: newEmail }, letter);
}

async function changeNow(
  options: EmailChangePorts,
  person: Pick<User, "id" | "name" | "email">,
  change: NewEmail,
): Promise<void> {
  await orTaken(options.db.transaction().execute(async (trx) => await replaceEmail(trx, person.id, change)));
  const notice = emailChangeNotice({ name: person.name, newEmail: change.email, isDone: true });
  await mailPerson(options, "email-change", person, notice);
}

async function confirm(
  { db }: EmailChangePorts,
  token: string,
  personId: string,
  keptToken: string,
): Promise<string> {
  return await orTaken(
    db.transaction().execute(async (trx) => {
      const email = await takeEmailChange(trx, { personId, tokenHash: hashToken(token), now: new Date() });
      if (email === undefined)
        throw new APIError("BAD_REQUEST", { code: "INVALID_TOKEN", message: "Invalid token" });
      await replaceEmail(trx, personId, { email, isVerified: true, keptToken });
      return email;
    }),
  );
}

/** 409 if the address is taken. The caller may learn that: the address is proved to be theirs, or is never verified here. */
async function orTaken<Done>(change: Promise<Done>): Promise<Done> {
  try {
    return await change;
  } catch (error) {
    if (violatedConstraint(error) !== "people_email_key") throw error;
    throw new APIError("CONFLICT", { code: "EMAIL_TAKEN", message: "This address has an account." });
  }
}

/** A fast hash is enough, because a random token cannot be guessed. */
function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
