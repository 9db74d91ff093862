import type { MemberRole } from "#libs/domain/member.ts";
import type { Message } from "#libs/mail/index.ts";

interface Addressee {
  readonly name: string;
  readonly email: string;
}

/**
 * The pages of the dashboard that links in mails lead to. Tokens are behind the `#`, which browsers keep to themselves:
 * they are in no log and no Referer.
 */
const PAGES = {
  resetPassword: "/reset-password",
  acceptInvitation: "/accept-invitation",
  signIn: "/sign-in",
};

/** The link to choose a new password, good for an hour. */
export function resetMail(publicUrl: URL, person: Addressee, token: string): Message {
  return {
    to: person.email,
    subject: "Choose a new password",
    text: letter(
      `Hello ${person.name},`,
      "follow this link within an hour to choose a new password. It signs you out everywhere.",
      linkTo(publicUrl, PAGES.resetPassword, token),
      "If you did not ask for this, do nothing: your password stays as it is.",
    ),
  };
}

/** The link that proves that an address is a person's own, good for an hour. */
export function verificationMail(person: Addressee, url: string): Message {
  return {
    to: person.email,
    subject: "Confirm your e-mail address",
    text: letter(
      `Hello ${person.name},`,
      "follow this link within an hour to confirm your e-mail address, then sign in.",
      url,
      "If you have not signed up, do nothing: without the link nobody can sign in with your address.",
    ),
  };
}

/** What the owner of an address hears when somebody signs up with it again; the one who did hears nothing of it. */
export function existingAccountMail(publicUrl: URL, person: Addressee): Message {
  return {
    to: person.email,
    subject: "You have an account already",
    text: letter(
      `Hello ${person.name},`,
      "somebody has just tried to sign up with your e-mail address. If it was you, sign in instead:",
      new URL(PAGES.signIn, publicUrl).href,
      "There you can also ask for a new password. If it was not you, nothing has happened.",
    ),
  };
}

/** The link to join a workspace. */
export function invitationMail(
  publicUrl: URL,
  invitation: {
    readonly email: string;
    readonly token: string;
    readonly role: MemberRole;
    readonly inviter: string;
    readonly workspace: string;
  },
): Message {
  const { email, token, role, inviter, workspace } = invitation;
  return {
    to: email,
    subject: `${inviter} invites you to ${workspace}`,
    text: letter(
      "Hello,",
      `${inviter} invites you to work in ${workspace} as ${role}. Follow this link within 7 days and sign in, or sign up, with this e-mail address:`,
      linkTo(publicUrl, PAGES.acceptInvitation, token),
      "If you do not expect this, do nothing.",
    ),
  };
}

function linkTo(publicUrl: URL, page: string, token: string): string {
  return `${new URL(page, publicUrl).href}#token=${encodeURIComponent(token)}`;
}

function letter(...paragraphs: readonly string[]): string {
  return `${paragraphs.join("\n\n")}\n`;
}
