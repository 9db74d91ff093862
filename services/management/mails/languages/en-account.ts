import type { Language, SecurityChange } from "../language.ts";
import { link, text } from "../letter.ts";
import { subject } from "../subject.ts";

const ACCOUNT_FOOTER = "You get this mail because of what somebody did with this address at Placard.";

const SECURITY_CHANGES: Readonly<Record<SecurityChange, string>> = {
  "two-factor-on": "Two-factor sign-in was switched on for your account",
  "two-factor-off": "Two-factor sign-in was switched off for your account",
  "recovery-codes-replaced": "Your recovery codes were replaced",
  "recovery-code-used": "A recovery code was used to sign in to your account",
  "passkey-added": "A passkey was added to your account",
  "passkey-removed": "A passkey was removed from your account",
};

/** The mails to people about their account. */
export const accountMails: Pick<
  Language,
  | "verification"
  | "passwordReset"
  | "existingAccount"
  | "emailChange"
  | "emailTaken"
  | "emailChangeNotice"
  | "securityChange"
  | "invitation"
> = {
  // No name: the person who signed up chose it, and may not be the one who reads this.
  verification: ({ url }) => ({
    subject: subject`Confirm your e-mail address`,
    preheader: "Follow the link within an hour and enter your password.",
    blocks: [
      text("Hello,"),
      text(
        "To confirm your e-mail address, follow this link within an hour and enter the password that you chose:",
      ),
      ...link("Confirm the address", url),
      text(
        "If you did not sign up, do nothing: without this link and the password nobody can sign in with your address.",
      ),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  passwordReset: ({ name, url }) => ({
    subject: subject`Choose a new password`,
    preheader: "The link is good for an hour.",
    blocks: [
      text(`Hello ${name},`),
      text("Follow this link within an hour to choose a new password. It signs you out everywhere."),
      ...link("Choose a password", url),
      text("If you did not ask for this, do nothing: your password stays as it is."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  existingAccount: ({ url }) => ({
    subject: subject`You have an account already`,
    preheader: "Somebody has tried to sign up with your e-mail address.",
    blocks: [
      text("Hello,"),
      text("Somebody has just tried to sign up with your e-mail address. If it was you, sign in instead:"),
      ...link("Sign in", url),
      text("There you can also ask for a new password. If it was not you, nothing has happened."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  // No name: the person who asks for the change chose the address, and may not be the one who reads this.
  emailChange: ({ url }) => ({
    subject: subject`Confirm your new e-mail address`,
    preheader: "Follow the link within an hour, in the browser that you are signed in with.",
    blocks: [
      text("Hello,"),
      text(
        "To sign in to Placard with this e-mail address from now on, follow this link within an hour. You have to be signed in.",
      ),
      ...link("Confirm the address", url),
      text("If you did not ask for this, do nothing: the link works only for the person who asked."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  emailTaken: ({ url }) => ({
    subject: subject`You have an account already`,
    preheader: "Somebody wanted to use your e-mail address for another account.",
    blocks: [
      text("Hello,"),
      text(
        "Somebody has just asked to use your e-mail address for another account. It stays with yours. If it was you, sign in to the account that you have:",
      ),
      ...link("Sign in", url),
      text("If it was not you, nothing has happened."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  emailChangeNotice: ({ name, newEmail, isDone }) => ({
    subject: isDone
      ? subject`Your e-mail address was changed`
      : subject`Your e-mail address is about to change`,
    preheader: `The new address is ${newEmail}.`,
    blocks: [
      text(`Hello ${name},`),
      isDone
        ? text(
            `The e-mail address of your account was changed to ${newEmail}. Use it to sign in from now on.`,
          )
        : text(
            `The e-mail address of your account will change to ${newEmail} once you confirm it with the link that we sent there.`,
          ),
      isDone
        ? text("If this was not you, ask the operator of this installation for help at once.")
        : text("If this was not you, change your password now. That stops the change."),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  securityChange: ({ name, change, url }) => ({
    subject: subject`${SECURITY_CHANGES[change]}`,
    preheader: "If this was not you, change your password.",
    blocks: [
      text(`Hello ${name},`),
      text(`${SECURITY_CHANGES[change]}. If this was you, there is nothing to do.`),
      text("If it was not you, change your password at once and check the ways to sign in to your account:"),
      ...link("Open your account", url),
    ],
    footer: ACCOUNT_FOOTER,
  }),

  invitation: ({ inviter, workspace, role, days, url }) => ({
    subject: subject`${inviter} invites you to ${workspace}`,
    preheader: `Join ${workspace} as ${role} within ${days} days.`,
    blocks: [
      text("Hello,"),
      text(
        `${inviter} invites you to work in ${workspace} as ${role}. Follow this link within ${days} days and sign in, or sign up, with this e-mail address:`,
      ),
      ...link("Join", url),
      text("If you do not expect this, do nothing."),
    ],
    footer: `You get this mail because ${inviter} has given this address to Placard.`,
  }),
};
