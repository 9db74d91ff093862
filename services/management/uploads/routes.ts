import { api } from "../api.ts";

export const uploadRoutes = {
  create: api.uploads.create.handler(async ({ input, context: { services } }) =>
    services.uploads.grant({ ...input, now: services.now() }),
  ),
};
