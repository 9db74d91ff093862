import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Headers for answers that are never a document (JSON, images), to be merged into prebuilt headers. */
export const JSON_SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
} as const;

/** Helmet's headers, for this origin only. A route's `helmet` option replaces settings; `createServer` sends HSTS. */
export async function registerSecurityHeaders(
  app: FastifyInstance,
  options: {
    readonly https: boolean;
    /** Where images of ads and favicons are sent to and loaded from, beside this origin: a bucket, a CDN. Default none. */
    readonly imageOrigins?: readonly string[];
  },
): Promise<void> {
  await app.register(helmet, {
    strictTransportSecurity: false,
    referrerPolicy: { policy: "strict-origin-when-cross-origin" },
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'self'"],
        // Images from elsewhere are copied before anybody sees them, so nobody else's site is needed.
        imgSrc: ["'self'", "data:", ...(options.imageOrigins ?? [])],
        // Browsers send uploads to where images are loaded from.
        connectSrc: ["'self'", ...(options.imageOrigins ?? [])],
        fontSrc: ["'self'", "data:"],
        // Component libraries set style attributes at run time.
        styleSrc: ["'self'", "'unsafe-inline'"],
        scriptSrc: ["'self'"],
        scriptSrcAttr: ["'none'"],
        objectSrc: ["'none'"],
        frameAncestors: ["'none'"],
        // Checkout ends in a redirect to the processor's page.
        formAction: ["'self'", "https://checkout.stripe.com", "https://billing.stripe.com"],
        ...(options.https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
  });
}
