import { api, forMembers } from "../../api/api.ts";
import { grantUpload, type UploadPorts } from "./records.ts";

export const uploadRoutes = (ports: Omit<UploadPorts, "db">) => ({
  create: forMembers(api.uploads.create, async ({ input, context: { db, access } }) =>
    grantUpload(
      { ...ports, db },
      { ...input, workspaceId: access.workspaceId, now: ports.now() },
      "publisher",
    ),
  ),
});
