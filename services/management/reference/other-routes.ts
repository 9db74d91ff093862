import type { OpenAPI } from "@orpc/contract";
import { errorResponse } from "./error-responses.ts";
import { EXAMPLE_IDS } from "./example-ids.ts";
import { referTo } from "./headers.ts";
import { PROOF } from "./parameters.ts";

/** References to the errors of those statuses. */
function errors(...statuses: readonly number[]): OpenAPI.ResponsesObject {
  return Object.fromEntries(
    statuses.flatMap((status) => {
      const response = errorResponse(status);
      return response === undefined ? [] : [[String(status), response]];
    }),
  );
}

const billing = {
  operationId: "checkout.billing",
  tags: ["Checkout"],
  summary: "Open the payment processor's page of a purchase",
  description:
    "For links that an advertiser follows in a browser: it leads to the page where cards and invoices are managed and the subscription is canceled. A 409 before payment.",
  security: [],
  parameters: [
    {
      name: "sessionId",
      in: "path",
      required: true,
      schema: { type: "string" },
      example: "cs_test_a1b2c3d4e5f6g7h8",
    },
  ],
  responses: {
    "303": {
      description: "A short-lived page, made for this visit.",
      headers: {
        ...referTo(["x-request-id", "Cache-Control"]),
        Location: {
          description: "The page's address.",
          required: true,
          schema: { type: "string", format: "uri" },
        },
      },
    },
    ...errors(404, 409, 429, 502, 503),
  },
} as const satisfies OpenAPI.OperationObject;

const payment = {
  ...billing,
  operationId: "checkout.pay",
  summary: "Open the unpaid invoice of a purchase",
  description:
    "For links that an advertiser follows in a browser: it leads to the invoice that is owed, while the subscription has not ended and is not paused, and otherwise where `/billing` leads. A 409 before payment.",
} as const satisfies OpenAPI.OperationObject;

const webhook = {
  operationId: "webhooks.stripe",
  tags: ["Webhooks"],
  summary: "Receive an event of Stripe",
  description:
    "Only Stripe can send it: the body, exactly as it is sent, has to carry a signature that is at most five minutes old. An event is stored before it is answered, and applied once, however often it is sent. A 400 for another signature, and for a body that is no event.",
  security: [],
  parameters: [
    {
      name: "Stripe-Signature",
      in: "header",
      required: true,
      schema: { type: "string" },
      example: "t=1795258057,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd",
    },
  ],
  requestBody: {
    required: true,
    description: "Stripe's own Event.",
    content: {
      "application/json": {
        schema: {
          type: "object",
          required: ["id", "type", "created", "data"],
          properties: {
            id: { type: "string", maxLength: 255 },
            type: { type: "string", maxLength: 255 },
            created: { type: "integer", description: "Seconds since 1970.", minimum: 0 },
            data: { type: "object", required: ["object"], properties: { object: { type: "object" } } },
          },
        },
        example: {
          id: "evt_1SVWx2Kq",
          type: "customer.subscription.updated",
          created: 1_795_258_057,
          data: { object: { id: "sub_1SVWx2Kq", object: "subscription" } },
        },
      },
    },
  },
  responses: {
    "200": {
      description: "The event is stored.",
      headers: referTo(["x-request-id"]),
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["received"],
            properties: { received: { type: "boolean", const: true } },
          },
          example: { received: true },
        },
      },
    },
    ...errors(400, 413, 503),
  },
} as const satisfies OpenAPI.OperationObject;

/** For people who follow a link, and for images: each status has a page or a pixel. */
function shown(type: "text/html" | "image/gif", description: string, status?: 503) {
  return {
    description,
    headers: referTo(["x-request-id", "Cache-Control", ...(status === 503 ? ["Retry-After"] : [])]),
    // JSON Schema has no type for the bytes of an image.
    content: {
      [type]:
        type === "image/gif"
          ? { schema: {} }
          : { schema: { type: "string" as const }, example: "<!doctype html>" },
    },
  };
}

const scriptFree = {
  tags: ["Tracking"],
  security: [],
  parameters: [
    {
      name: "adId",
      in: "path",
      required: true,
      schema: { type: "string" as const },
      example: EXAMPLE_IDS.runningAd,
    },
    { ...PROOF, example: "nQ3mVq8Zt5Wy1Xc7Bn9Ls4" },
  ],
} satisfies Pick<OpenAPI.OperationObject, "tags" | "security" | "parameters">;

const clickLink = {
  ...scriptFree,
  operationId: "serving.clickLink",
  summary: "Follow an ad where no script runs",
  description:
    "A link for newsletters, feeds and README files: it records what `POST /ads/{adId}/clicks` records and leads to the ad's approved address, with the workspace's UTM parameters. It leads there also when the click cannot be recorded or does not count. HEAD records nothing.",
  responses: {
    "302": {
      description: "The ad's approved address.",
      headers: {
        ...referTo(["x-request-id", "Cache-Control"]),
        Location: { description: "The address.", required: true, schema: { type: "string", format: "uri" } },
      },
    },
    "404": shown("text/html", "A page: the ad is unknown or has no approved address."),
    "503": shown("text/html", "A page: the address cannot be looked up now.", 503),
  },
} satisfies OpenAPI.OperationObject;

const impressionImage = {
  ...scriptFree,
  operationId: "serving.impressionImage",
  summary: "Show an image that records an impression",
  description:
    "For newsletters, feeds and README files: a transparent image of one pixel, which records what `POST /ads/{adId}/impressions` records. It is sent with every status. HEAD records nothing.",
  responses: {
    "200": shown("image/gif", "The impression is recorded, or over a limit."),
    "404": shown("image/gif", "The ad is unknown."),
    "503": shown("image/gif", "The impression is not recorded.", 503),
  },
} satisfies OpenAPI.OperationObject;

/** The operations below `{base}` that are not the contract's, because they answer no JSON or take another's body. */
export const OTHER_PATHS: OpenAPI.PathsObject = {
  "/checkout-sessions/{sessionId}/billing": { get: billing },
  "/checkout-sessions/{sessionId}/billing/pay": { get: payment },
  "/webhooks/stripe": { post: webhook },
  "/ads/{adId}/click": { get: clickLink },
  "/ads/{adId}/impression.gif": { get: impressionImage },
};
export const WEBHOOKS_TAG = { name: "Webhooks", description: "What the payment processor sends." };
