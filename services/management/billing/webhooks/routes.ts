import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { httpError } from "#libs/http/index.ts";
import { PaymentsError } from "#libs/payments/index.ts";
import type { Billing } from "../mirror.ts";
import { storeEvent } from "./inbox.ts";

/**
 * `POST /v1/webhooks/stripe`: checks the signature over the raw body, stores the event and answers; a job applies it.
 * A repeated delivery gets the same answer. 400 if the processor has not signed the body, or
 * the body is not an event.
 */
export async function webhookRoutes(
  app: FastifyInstance,
  { db, payments }: Pick<Billing, "db" | "payments">,
): Promise<void> {
  await app.register(async (scope) => {
    // The signature covers the bytes as they were sent, so this body is never parsed before it is checked.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser<Buffer>("*", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    scope.post("/v1/webhooks/stripe", async (request) => {
      const signature = request.headers["stripe-signature"];
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const event = parse(payments, body, typeof signature === "string" ? signature : undefined, request.log);
      await storeEvent(db, event);
      return { received: true };
    });
  });
}

function parse(
  payments: Billing["payments"],
  body: Buffer,
  signature: string | undefined,
  log: Pick<FastifyBaseLogger, "warn">,
) {
  try {
    return payments.parseWebhook(body, signature);
  } catch (error) {
    if (error instanceof PaymentsError && error.code === "BAD_SIGNATURE") {
      throw httpError("BAD_REQUEST", "The signature is not the payment processor's.", { cause: error });
    }
    if (error instanceof PaymentsError && error.code === "BAD_EVENT") {
      log.warn({ err: error }, "refused a webhook");
      throw httpError("BAD_REQUEST", "The body is not an event of the payment processor.", { cause: error });
    }
    throw error;
  }
}
