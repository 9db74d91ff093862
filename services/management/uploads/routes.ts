import { api } from "../api.ts";
import { grantUpload } from "./records.ts";

export const uploadRoutes = {
  create: api.uploads.create.handler(async ({ input, context: { services } }) =>
    grantUpload(services, { ...input, now: services.now() }, null),
  ),
};
