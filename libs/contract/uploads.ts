import { z } from "zod";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { memberApi } from "./errors.ts";
import { trimmedText } from "./text.ts";

/** What the caller says of the file it wants to send. The upper bound of `contentLength` is a setting. */
export const newUpload = z.object({
  fileName: trimmedText(1, 255),
  contentType: z.enum(IMAGE_TYPES),
  contentLength: z.int().min(1),
});

export const uploadGrant = z.object({
  uploadUrl: z.string().meta({ description: "Send the file there by PUT, within five minutes." }),
  headers: z.object({ "Content-Type": z.string() }),
  publicUrl: z.string(),
  key: z.string(),
});

export const uploadsContract = {
  create: memberApi("Manager")
    .meta({ idempotent: true })
    .route({
      method: "POST",
      path: "/workspaces/{workspaceId}/uploads",
      tags: ["Uploads"],
      summary: "Get a grant to upload one file",
    })
    .input(newUpload.extend({ workspaceId: z.string() }))
    .output(uploadGrant),
};
