import { api, forMembers } from "../api.ts";
import { grantUpload } from "./records.ts";

export const uploadRoutes = {
  create: forMembers(api.uploads.create, async ({ input, context: { services, access } }) =>
    grantUpload(services, { ...input, workspaceId: access.workspaceId, now: services.now() }, null),
  ),
};
