import { JSON_SCHEMA_INPUT_REGISTRY } from "@orpc/zod/zod4";
import { z } from "zod";
import { IMAGE_TYPES } from "#libs/domain/image.ts";
import { LONGEST } from "#libs/domain/limits.ts";
import { memberApi } from "./errors.ts";
import { trimmedText } from "./text.ts";

/** Every installation has an upper bound of its own, which is checked where the setting is known. */
const contentLength = z.int().min(1);
JSON_SCHEMA_INPUT_REGISTRY.add(contentLength, {
  maximum: 5 * 1024 * 1024,
  description:
    "Bytes, exactly. The upper bound is a setting of the installation, 5 MiB unless it says otherwise.",
});

/** What the caller says of the file it wants to send. */
export const newUpload = z.object({
  fileName: trimmedText(1, LONGEST.fileName),
  contentType: z.enum(IMAGE_TYPES),
  contentLength,
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
      description:
        "A 409 beyond the workspace's quota, which is a setting of the installation, 1 GiB unless it says otherwise.",
    })
    .input(newUpload.extend({ workspaceId: z.string() }))
    .output(uploadGrant),
};
