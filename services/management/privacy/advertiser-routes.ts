import { notFound } from "#libs/http/index.ts";
import { findAdvertiser } from "../advertisers/queries.ts";
import { api, forMembersUnscoped } from "../api.ts";
import { eraseAdvertiser } from "./erase-advertiser.ts";
import { sendExport } from "./send-export.ts";

/** Erasing and exporting an advertiser's data. */
export const advertiserPrivacyRoutes = {
  erase: forMembersUnscoped(api.advertisers.erase, async ({ input, context: { services, access } }) => {
    const target = { workspaceId: access.workspaceId, advertiserId: input.advertiserId };
    await eraseAdvertiser(services, access.actor, target);
    return { success: true };
  }),

  export: forMembersUnscoped(
    api.advertisers.export,
    async ({ input, context: { services, reply, access } }) => {
      const { workspaceId } = access;
      const advertiser = await findAdvertiser(services.db, workspaceId, input.advertiserId);
      if (advertiser === undefined) throw notFound("Advertiser");
      const subject = { kind: "advertiser", id: advertiser.id, workspaceId } as const;
      return await sendExport(services, reply, workspaceId, subject);
    },
  ),
};
