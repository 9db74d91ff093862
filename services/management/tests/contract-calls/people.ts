import { newId } from "#libs/domain/ids.ts";
import { recordDrop } from "../../mail/dropped.ts";
import { anInvitation } from "../joining.ts";
import type { ManagementUnderTest } from "../management.ts";
import { aMember, aPerson, aPublisher } from "../story.ts";
import type { Call, CallsByName, Ground } from "./ground.ts";

/** Workspaces, who works in them, with which keys, and what they did. */
export function peopleCalls({ service, publisher, here }: Ground): CallsByName {
  const memberIdOf = (person: { readonly email: string }) => findMemberId(service, here.workspaceId, person);

  return {
    "apiKeys.list": async () => ({ succeed: (api) => api.apiKeys.list(here), refuse: {} }),
    "apiKeys.create": async () => ({
      succeed: (api) => api.apiKeys.create({ ...here, name: "Integration" }),
      refuse: { 422: (api) => api.apiKeys.create({ ...here, name: " " }) },
    }),
    "apiKeys.revoke": async () => {
      const made = await publisher.person.caller.request("POST", `${publisher.path}/api-keys`, {
        name: "Gone",
      });
      const revoke: Call = (api) => api.apiKeys.revoke({ ...here, keyId: JSON.parse(made.text).id });
      return {
        succeed: revoke,
        refuse: { 404: (api) => api.apiKeys.revoke({ ...here, keyId: newId("apiKey") }) },
      };
    },
    "trackingKeys.list": async () => ({ succeed: (api) => api.trackingKeys.list(here), refuse: {} }),
    "trackingKeys.create": async () => ({
      succeed: (api) => api.trackingKeys.create({ ...here, name: "Newsletter" }),
      refuse: { 422: (api) => api.trackingKeys.create({ ...here, name: " " }) },
    }),
    "trackingKeys.revoke": async () => {
      const made = await publisher.person.caller.request("POST", `${publisher.path}/tracking-keys`, {
        name: "Gone",
      });
      return {
        succeed: (api) => api.trackingKeys.revoke({ ...here, keyId: JSON.parse(made.text).id }),
        refuse: { 404: (api) => api.trackingKeys.revoke({ ...here, keyId: newId("apiKey") }) },
      };
    },
    "audit.list": async () => ({
      succeed: (api) => api.audit.list({ ...here, perPage: 100 }),
      refuse: { 422: (api) => api.audit.list({ ...here, perPage: 0 }) },
    }),
    "invitations.list": async () => {
      await anInvitation(service, publisher, "waiting@example.com", "Viewer");
      return {
        succeed: (api) => api.invitations.list(here),
        refuse: { 422: (api) => api.invitations.list({ ...here, page: 0 }) },
      };
    },
    "invitations.create": async () => {
      const member = await aMember(service, publisher, "Viewer");
      const invite = (email: string): Call => {
        return (api) => api.invitations.create({ ...here, email, role: "Manager" });
      };
      return {
        succeed: invite("colleague@example.com"),
        refuse: { 409: invite(member.email), 422: invite("nobody") },
      };
    },
    "invitations.revoke": async () => {
      const { id: invitationId } = await anInvitation(service, publisher, "revoked@example.com", "Viewer");
      const revoke: Call = (api) => api.invitations.revoke({ ...here, invitationId });
      return {
        succeed: revoke,
        refuse: {
          404: (api) => api.invitations.revoke({ ...here, invitationId: newId("invitation") }),
        },
      };
    },
    "invitations.accept": async () => {
      const invited = await aPerson(service, "Grace Example");
      const { token } = await anInvitation(service, publisher, invited.email, "Viewer");
      const joined = async () => {
        // An invitation to an address that has become a member's since.
        const { id, token: late } = await anInvitation(service, publisher, "joined@example.com", "Viewer");
        await service.database.pool.query("update invitations set email = $1 where id = $2", [
          invited.email,
          id,
        ]);
        return late;
      };
      return {
        by: { 200: invited.cookie, 409: invited.cookie },
        succeed: (api) => api.invitations.accept({ token }),
        refuse: {
          404: (api) => api.invitations.accept({ token: "nothing" }),
          409: async (api) => api.invitations.accept({ token: await joined() }),
          422: (api) => api.invitations.accept({ token: "x".repeat(201) }),
        },
      };
    },
    "members.list": async () => ({
      succeed: (api) => api.members.list(here),
      refuse: { 422: (api) => api.members.list({ ...here, perPage: 101 }) },
    }),
    "members.update": async () => {
      const memberId = await memberIdOf(await aMember(service, publisher, "Viewer"));
      return {
        succeed: (api) => api.members.update({ ...here, memberId, role: "Manager" }),
        refuse: {
          404: (api) => api.members.update({ ...here, memberId: newId("member"), role: "Viewer" }),
          409: async (api) =>
            api.members.update({ ...here, memberId: await memberIdOf(publisher.person), role: "Viewer" }),
          // @ts-expect-error No role of ours, which the client's types say as well.
          422: (api) => api.members.update({ ...here, memberId, role: "Boss" }),
        },
      };
    },
    "members.setReportEmails": async () => {
      const memberId = await memberIdOf(await aMember(service, publisher, "Viewer"));
      const set =
        (id: string): Call =>
        (api) =>
          api.members.setReportEmails({ ...here, memberId: id, reportEmails: ["week"] });
      return {
        succeed: set(memberId),
        refuse: {
          404: set(newId("member")),
          // @ts-expect-error No report of ours, which the client's types say as well.
          422: (api) => api.members.setReportEmails({ ...here, memberId, reportEmails: ["day"] }),
        },
      };
    },
    "members.setMyReportEmails": async () => ({
      succeed: (api) => api.members.setMyReportEmails({ ...here, reportEmails: [] }),
      refuse: {
        // @ts-expect-error No report of ours, which the client's types say as well.
        422: (api) => api.members.setMyReportEmails({ ...here, reportEmails: ["day"] }),
      },
    }),
    "members.remove": async () => {
      const memberId = await memberIdOf(await aMember(service, publisher, "Viewer"));
      return {
        succeed: (api) => api.members.remove({ ...here, memberId }),
        refuse: {
          404: (api) => api.members.remove({ ...here, memberId: newId("member") }),
          409: async (api) => api.members.remove({ ...here, memberId: await memberIdOf(publisher.person) }),
        },
      };
    },
    "members.leave": async () => {
      const viewer = await aMember(service, publisher, "Viewer");
      const leave: Call = (api) => api.members.leave(here);
      return { by: { 200: viewer.cookie }, succeed: leave, refuse: { 409: leave } };
    },
    "settings.get": async () => ({ succeed: (api) => api.settings.get(here), refuse: {} }),
    "settings.droppedEmails": async () => {
      const about = { workspaceId: here.workspaceId, recipient: "advertiser", kind: "refund" } as const;
      await recordDrop(service.services.db, about, "limit");
      return { succeed: (api) => api.settings.droppedEmails(here), refuse: {} };
    },
    "settings.update": async () => ({
      succeed: (api) => api.settings.update({ ...here, limits: { clicksPerMinute: 20 } }),
      refuse: { 422: (api) => api.settings.update({ ...here, limits: { clicksPerMinute: -1 } }) },
    }),
    "workspaces.list": async () => ({ succeed: (api) => api.workspaces.list(), refuse: {} }),
    "workspaces.create": async () => {
      const create: Call = (api) => api.workspaces.create({ name: "Second Weekly", slug: "second-weekly" });
      return {
        succeed: create,
        refuse: { 409: create, 422: (api) => api.workspaces.create({ name: "x" }) },
      };
    },
    "workspaces.get": async () => ({ succeed: (api) => api.workspaces.get(here), refuse: {} }),
    "workspaces.update": async () => ({
      succeed: (api) => api.workspaces.update({ ...here, websiteUrl: "https://weekly.example" }),
      refuse: {
        409: async (api) => {
          const other = await aPublisher(service, "Taken Weekly");
          return api.workspaces.update({ ...here, slug: other.workspace.slug });
        },
        422: (api) => api.workspaces.update({ ...here, currency: "gold" }),
      },
    }),
  };
}

async function findMemberId(
  service: ManagementUnderTest,
  workspaceId: string,
  { email }: { readonly email: string },
): Promise<string> {
  const { id } = await service.database.db
    .selectFrom("members")
    .innerJoin("people", "people.id", "members.person_id")
    .where("members.workspace_id", "=", workspaceId)
    .where("people.email", "=", email)
    .select("members.id")
    .executeTakeFirstOrThrow();
  return id;
}
