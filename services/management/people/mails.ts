import type { MemberRole } from "#libs/domain/member.ts";
import type { Message } from "#libs/mail/index.ts";
import type { SecurityChange } from "../mails/language.ts";
import { languageFor } from "../mails/language.ts";
import { mailLinks } from "../mails/links.ts";
import { withoutLinks } from "../mails/subject.ts";
import { writeMail } from "../mails/write-mail.ts";

interface Addressee {
  readonly name: string;
  readonly email: string;
}

/** The link to choose a new password, good for an hour. */
export function resetMail(publicUrl: URL, { name, email }: Addressee, token: string): Message {
  const language = languageFor();
  const url = mailLinks(publicUrl).resetPassword(token);
  return writeMail(language, { to: email }, language.passwordReset({ name, url }));
}

/** The link that, with the password, proves that an address is a person's own; good for an hour. `from` is where to go then. */
export function verificationMail(
  publicUrl: URL,
  { email }: Addressee,
  token: string,
  from: string | null,
): Message {
  const language = languageFor();
  const url = mailLinks(publicUrl).confirmAccount(token, from);
  return writeMail(language, { to: email }, language.verification({ url }));
}

/** What the owner of an address hears when somebody signs up with it again; the one who did hears nothing of it. */
export function existingAccountMail(publicUrl: URL, { email }: Addressee): Message {
  const language = languageFor();
  return writeMail(language, { to: email }, language.existingAccount({ url: mailLinks(publicUrl).signIn() }));
}

/** The link that makes a new address the one to sign in with. It works for the person who asked, within an hour. */
export function emailChangeMail(publicUrl: URL, newEmail: string, token: string): Message {
  const language = languageFor();
  const url = mailLinks(publicUrl).confirmEmail(token);
  return writeMail(language, { to: newEmail }, language.emailChange({ url }));
}

/** What the owner of an address hears when somebody else wants it for their account. */
export function takenEmailMail(publicUrl: URL, email: string): Message {
  const language = languageFor();
  return writeMail(language, { to: email }, language.emailTaken({ url: mailLinks(publicUrl).signIn() }));
}

/** What the old address hears of a change: that it was asked for, or, with `isDone`, that it has happened. */
export function emailChangeNotice({ name, email }: Addressee, newEmail: string, isDone: boolean): Message {
  const language = languageFor();
  return writeMail(language, { to: email }, language.emailChangeNotice({ name, newEmail, isDone }));
}

/** What a person hears of a change to how they sign in. */
export function securityMail(publicUrl: URL, { name, email }: Addressee, change: SecurityChange): Message {
  const language = languageFor();
  const url = mailLinks(publicUrl).account();
  return writeMail(language, { to: email }, language.securityChange({ name, change, url }));
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
    readonly days: number;
  },
): Message {
  const { email, token, ...facts } = invitation;
  // It goes to whom its sender names, who may be anybody.
  const inviter = withoutLinks(facts.inviter);
  const workspace = withoutLinks(facts.workspace);
  const language = languageFor();
  const url = mailLinks(publicUrl).acceptInvitation(token);
  return writeMail(language, { to: email }, language.invitation({ ...facts, inviter, workspace, url }));
}
