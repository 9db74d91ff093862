import { hash, randomBytes } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, sessionMiddleware } from "better-auth/api";
import { z } from "zod";
import { violatedConstraint } from "#libs/database/errors.ts";
import type { RateRule } from "#libs/limits/index.ts";
import { queueMail } from "../jobs/mail.ts";
import type { PeopleOptions } from "./auth-options.ts";
import { keepEmailChange, type NewEmail, replaceEmail, takeEmailChange } from "./email-change-queries.ts";
import { emailChangeMail, emailChangeNotice, takenEmailMail } from "./mails.ts";
import { tellPerson } from "./tell-person.ts";

const LINK_MS = 60 * 60_000;
/** Requests of one person, who could otherwise send mails to strangers through us. */
const REQUEST_RATE: RateRule = { name: "email-change", points: 5, durationSeconds: 60 * 60 };
/** Confirmations sent to one address, at the request of all people together. */
const RECIPIENT_RATE: RateRule = { name: "mail-email-change", points: 5, durationSeconds: 24 * 60 * 60 };

/**
 * Changes the e-mail address that a person signs in with. It takes the password and, if mail is configured, a link that is sent
 * to the new address: only the person who asked can use it, once, within an hour. The old address gets a notice at once. A request
 * for an address that already has an account gets the same answer. Without mail, the address changes at once.
 *
 * We do not use better-auth's own change of address: it asks for no password, and its link signs in anybody who opens it.
 */
export function changeOfEmail(options: PeopleOptions) {
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
            throw refusal("BAD_REQUEST", "EMAIL_UNCHANGED", "This is your address already.");
          }
          const rate = await options.limits.consume(REQUEST_RATE, user.id);
          if (!rate.allowed) {
            const message = "You have asked for several changes of your address. Try again in an hour.";
            throw refusal("TOO_MANY_REQUESTS", "TOO_MANY_EMAIL_CHANGES", message);
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

interface Requester {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

async function askForConfirmation(
  options: PeopleOptions,
  person: Requester,
  newEmail: string,
): Promise<void> {
  const { db, limits, publicUrl, logger } = options;
  const token = randomBytes(32).toString("base64url");
  await keepEmailChange(db, {
    personId: person.id,
    newEmail,
    tokenHash: hashToken(token),
    expiresAt: new Date(Date.now() + LINK_MS),
  });
  await tellPerson(options, "email-change", person.id, emailChangeNotice(person, newEmail, false));
  const owner = await db.selectFrom("people").where("email", "=", newEmail).select("id").executeTakeFirst();
  const rate = await limits.consume(RECIPIENT_RATE, newEmail);
  if (!rate.allowed) {
    logger.warn({ personId: person.id }, "a mail was not sent: its recipient had too many within the day");
    return;
  }
  await queueMail(
    db,
    owner === undefined ? emailChangeMail(publicUrl, newEmail, token) : takenEmailMail(publicUrl, newEmail),
  );
}

async function changeNow(options: PeopleOptions, person: Requester, change: NewEmail): Promise<void> {
  await orTaken(options.db.transaction().execute(async (trx) => await replaceEmail(trx, person.id, change)));
  await tellPerson(options, "email-change", person.id, emailChangeNotice(person, change.email, true));
}

async function confirm(
  { db }: PeopleOptions,
  token: string,
  personId: string,
  keptToken: string,
): Promise<string> {
  return await orTaken(
    db.transaction().execute(async (trx) => {
      const email = await takeEmailChange(trx, { personId, tokenHash: hashToken(token), now: new Date() });
      if (email === undefined) throw refusal("BAD_REQUEST", "INVALID_TOKEN", "Invalid token");
      await replaceEmail(trx, personId, { email, isVerified: true, keptToken });
      return email;
    }),
  );
}

/**
 * 409 if another person took the address meanwhile. The caller may learn that: they have proved that the address is theirs, or
 * addresses are never verified here.
 */
async function orTaken<Done>(change: Promise<Done>): Promise<Done> {
  try {
    return await change;
  } catch (error) {
    if (violatedConstraint(error) !== "people_email_key") throw error;
    throw refusal("CONFLICT", "EMAIL_TAKEN", "This address has an account.");
  }
}

function refusal(
  status: "BAD_REQUEST" | "CONFLICT" | "TOO_MANY_REQUESTS",
  code: string,
  message: string,
): APIError {
  return new APIError(status, { code, message });
}

/** A fast hash is enough, because a random token cannot be guessed. */
function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}
