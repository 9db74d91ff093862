import { vi } from "vitest";
import { invitation } from "#libs/contract/members.ts";
import { workspace } from "#libs/contract/workspaces.ts";
import type { MemberRole } from "#libs/domain/member.ts";
import type { ReadMail } from "#libs/mail/testing.ts";
import type { ManagementUnderTest } from "./management.ts";
import { aPerson, type Publisher } from "./story.ts";

/** The newest mail to somebody that says `about` in its subject, once it has been sent. */
export async function mailTo(service: ManagementUnderTest, email: string, about: string): Promise<ReadMail> {
  return await vi.waitFor(
    async () => {
      const mails = await service.readMails();
      const found = mails.findLast(({ to, subject }) => to === email && subject.includes(about));
      if (found === undefined) throw new Error(`no mail about "${about}"`);
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
}

/** The token behind the link of a mail. */
export function tokenIn(mail: ReadMail): string {
  const token = /#token=([\w-]+)/.exec(mail.text)?.[1];
  if (token === undefined) throw new Error(`a mail without a token: ${mail.text}`);
  return token;
}

/** Invites an address to the publisher's workspace; with the token of the mail. */
export async function anInvitation(
  service: ManagementUnderTest,
  { person, path }: { readonly person: Pick<Publisher["person"], "caller">; readonly path: string },
  email: string,
  role: MemberRole,
) {
  const made = await person.caller.ok(invitation, "POST", `${path}/invitations`, { email, role });
  return { ...made, token: tokenIn(await mailTo(service, made.email, "invited you")) };
}

/** Somebody who was invited to the publisher's workspace and has joined. */
export async function aMember(service: ManagementUnderTest, publisher: Publisher, role: MemberRole) {
  const person = await aPerson(service, `A ${role}`);
  const { token } = await anInvitation(service, publisher, person.email, role);
  await person.caller.ok(workspace, "POST", "/v1/invitations/accept", { token });
  const { rows } = await service.database.pool.query<{ id: string }>(
    "select m.id from members m join people p on p.id = m.person_id where p.email = $1 and m.workspace_id = $2",
    [person.email, publisher.workspace.id],
  );
  const memberId = rows[0]?.id ?? "";
  return { ...person, memberId, path: `${publisher.path}/members/${memberId}` };
}
