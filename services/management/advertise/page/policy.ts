import type { Uploads } from "#libs/uploads/index.ts";
import type { Services } from "../../services.ts";

/**
 * What a page may load and reach: its own style and script, and uploads where they are kept, which images from elsewhere
 * are copied to. Forms may end anywhere on https: buying redirects to the processor's page, which may have a domain of the
 * seller's own, and browsers hold a form's redirects to this rule.
 */
export function contentSecurityPolicy({
  uploads,
  publicUrl,
}: Pick<Services, "publicUrl"> & { readonly uploads: Pick<Uploads, "origins"> }): string {
  const stores = uploads.origins.filter((origin) => origin !== publicUrl.origin);
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self'", ...stores].join(" "),
    ["connect-src 'self'", ...stores].join(" "),
    "form-action 'self' https:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...(publicUrl.protocol === "https:" ? ["upgrade-insecure-requests"] : []),
  ].join("; ");
}
