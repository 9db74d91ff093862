import type { MemberRole } from "#libs/domain/member.ts";
import { type Letter, link, subject } from "./letter.ts";

interface Link {
  readonly url: string;
}

const FOOTER = "You're receiving this email because of activity on a Placard account with this address.";

/** Asks to confirm an address. No name: the person who signed up chose it, and may not be the one who reads this. */
export function verificationLetter({ url }: Link): Letter {
  return {
    subject: subject`Confirm your email address`,
    preheader: "Follow the link within an hour and enter your password.",
    blocks: [
      "Hi,",
      "To confirm your email address, follow this link within an hour and enter your password:",
      ...link("Confirm email address", url),
      "If you didn't sign up, you can ignore this email.",
    ],
    footer: FOOTER,
  };
}

/** No name, for the same reason: anybody can ask for a new password of an address that they signed up with. */
export function passwordResetLetter({ url }: Link): Letter {
  return {
    subject: subject`Choose a new password`,
    preheader: "The link expires in one hour.",
    blocks: [
      "Hi,",
      "Follow this link within an hour to choose a new password. You'll be signed out everywhere.",
      ...link("Choose a new password", url),
      "If you didn't request this, you can ignore this email. Your password won't change.",
    ],
    footer: FOOTER,
  };
}

/** To the owner of an address with which somebody signed up again. */
export function existingAccountLetter({ url }: Link): Letter {
  return {
    subject: subject`You already have an account`,
    preheader: "Somebody tried to sign up with your email address.",
    blocks: [
      "Hi,",
      "Somebody just tried to sign up with your email address. If it was you, sign in instead:",
      ...link("Sign in", url),
      "You can also choose a new password there. If it wasn't you, you can ignore this email.",
    ],
    footer: FOOTER,
  };
}

/** No name: the person who asks for the change chose the address, and may not be the one who reads this. */
export function emailChangeLetter({ url }: Link): Letter {
  return {
    subject: subject`Confirm your new email address`,
    preheader: "Follow the link within an hour, in the browser that you are signed in with.",
    blocks: [
      "Hi,",
      "To sign in to Placard with this email address from now on, follow this link within an hour, while you are signed in.",
      ...link("Confirm email address", url),
      "If you didn't request this, you can ignore this email. The link works only for the person who did.",
    ],
    footer: FOOTER,
  };
}

/** To the owner of an address that somebody else wants for their account. */
export function emailTakenLetter({ url }: Link): Letter {
  return {
    subject: subject`You already have an account`,
    preheader: "Somebody tried to use your email address for another account.",
    blocks: [
      "Hi,",
      "Somebody just tried to use your email address for another account. It stays with yours. If it was you, sign in to your existing account:",
      ...link("Sign in", url),
      "If it wasn't you, you can ignore this email.",
    ],
    footer: FOOTER,
  };
}

/** To the old address. Without `isDone` the change waits for the new address to be confirmed. */
export function emailChangeNotice({
  name,
  newEmail,
  isDone,
}: {
  readonly name: string;
  readonly newEmail: string;
  readonly isDone: boolean;
}): Letter {
  return {
    subject: isDone
      ? subject`Your email address was changed`
      : subject`Your email address is about to change`,
    preheader: `The new address is ${newEmail}.`,
    blocks: [
      `Hi ${name},`,
      isDone
        ? `The email address of your account was changed to ${newEmail}. Use it to sign in from now on.`
        : `The email address of your account will change to ${newEmail} once you confirm it with the link that we sent there.`,
      isDone
        ? "If this wasn't you, ask the operator of this installation for help immediately."
        : "If this wasn't you, change your password now. That stops the change.",
    ],
    footer: FOOTER,
  };
}

const SECURITY_CHANGES = {
  "two-factor-on": "Two-factor sign-in was turned on for your account",
  "two-factor-off": "Two-factor sign-in was turned off for your account",
  "recovery-codes-replaced": "Your recovery codes were replaced",
  "recovery-code-used": "A recovery code was used to sign in to your account",
  "passkey-added": "A passkey was added to your account",
  "passkey-removed": "A passkey was removed from your account",
} as const;

/** A change to how a person signs in. */
export type SecurityChange = keyof typeof SECURITY_CHANGES;

/** `url` is where the person can check how they sign in. */
export function securityNotice({
  name,
  change,
  url,
}: Link & { readonly name: string; readonly change: SecurityChange }): Letter {
  return {
    subject: subject`${SECURITY_CHANGES[change]}`,
    preheader: "If this wasn't you, change your password.",
    blocks: [
      `Hi ${name},`,
      `${SECURITY_CHANGES[change]}. If this was you, you don't need to do anything.`,
      "If it wasn't you, change your password immediately and review how you sign in:",
      ...link("Open your account", url),
    ],
    footer: FOOTER,
  };
}

const AS_ROLE: Readonly<Record<MemberRole, string>> = {
  Viewer: "a viewer",
  Manager: "a manager",
  Owner: "an owner",
};

export function invitationLetter({
  inviter,
  workspace,
  role,
  days,
  url,
}: Link & {
  readonly inviter: string;
  readonly workspace: string;
  readonly role: MemberRole;
  readonly days: number;
}): Letter {
  return {
    subject: subject`${inviter} invited you to ${workspace}`,
    preheader: `Join ${workspace} as ${AS_ROLE[role]} within ${days} days.`,
    blocks: [
      "Hi,",
      `${inviter} has invited you to join ${workspace} as ${AS_ROLE[role]}. Follow this link within ${days} days and sign in, or sign up, with this email address:`,
      ...link("Join", url),
      "If you didn't expect this, you can ignore this email.",
    ],
    footer: `${inviter} invited this address to Placard.`,
  };
}
