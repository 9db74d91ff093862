import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { REFUND_REASONS } from "#libs/domain/invoice.ts";
import { isLoopback } from "#libs/process/index.ts";
import { ApiError } from "../engine/api-error.ts";
import { cardEnding, DEFAULT_CARD } from "../engine/cards.ts";
import { payCheckout } from "../engine/checkouts.ts";
import type { Advance, Clock } from "../engine/clock.ts";
import type { Engine } from "../engine/engine.ts";
import { processDue } from "../engine/process-due.ts";
import { createPromotion } from "../engine/promotions.ts";
import type { RecordKind, Records } from "../engine/record-kinds.ts";
import { closeDispute, disputeCharge, refundCharge } from "../engine/refunds.ts";
import { AFTER_RETRIES } from "../engine/state.ts";
import { changeSubscription } from "../engine/subscriptions.ts";
import {
  emailAddress,
  type Fields,
  isProgram,
  type ObjectRoute,
  openObject,
  readFields,
  sendPage,
  validFields,
} from "./forms.ts";
import { notice } from "./layout.ts";
import { operatorPage } from "./operator-page.ts";

const DAY = 86_400;

const whole = z.preprocess(
  (value) =>
    typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value === "" ? undefined : value,
  z.int({ error: "This must be a whole number." }).min(0, "This must not be negative.").optional(),
);
const step = z
  .object({ days: whole, seconds: whole })
  .refine(({ days = 0, seconds = 0 }) => days + seconds > 0, "Give a number of days or seconds.");
const settings = z.object({
  afterRetries: z.enum(AFTER_RETRIES, { error: `This is one of ${AFTER_RETRIES.join(", ")}.` }),
});
const promotion = z
  .object({
    code: z.string({ error: "A code is needed." }).regex(/^[A-Za-z0-9-]{1,100}$/, "This is not a code."),
    percentOff: z.coerce
      .number({ error: "This must be a number." })
      .gt(0, "This must be above 0.")
      .max(100)
      .optional(),
    amountOff: whole,
    currency: z
      .string()
      .regex(/^[a-z]{3}$/, "This is not a currency.")
      .optional(),
    months: z.union([z.literal("all").transform(() => null), whole]),
    maxRedemptions: whole,
    expiresInDays: whole,
    account: z.string().optional(),
  })
  .refine(
    ({ percentOff, amountOff, currency }) =>
      (percentOff === undefined) !== (amountOff === undefined) &&
      (amountOff === undefined) === (currency === undefined),
    "Give either percentOff, or amountOff and currency.",
  );
/** Seconds since the epoch, who pays, what the seller wrote on the subscription at once, and whether its collection is paused by now. */
const earlier = z.object({
  paidAt: z.int({ error: "This must be a whole number of seconds." }),
  email: emailAddress,
  name: z.string().max(200),
  metadata: z.record(z.string().max(40), z.string().max(500)).default({}),
  isPaused: z.boolean().default(false),
});
/** How far back a purchase may be made, in seconds. */
const EARLIEST = 1096 * DAY;
/** Transactions for what has become due since. */
const MOST_ROUNDS = 50;
const refund = z.object({ amount: whole, reason: z.enum(REFUND_REASONS).optional() });
const dispute = z.object({
  reason: z.string().max(100).default("fraudulent"),
  kind: z.enum(["dispute", "inquiry"], { error: "This is a dispute or an inquiry." }).default("dispute"),
});
const closing = z.object({ outcome: z.enum(["won", "lost"], { error: "A dispute is won or lost." }) });

/**
 * The operator's calls: advance the clock, pay a checkout as of an earlier time, add promotion codes, refund and dispute charges. They need no key from callers
 * on this machine that use one of its own names, where the sandbox is for this machine; otherwise they need its API key.
 */
export function operatorRoutes(app: FastifyInstance, engine: Engine, secretKey: string, clock: Clock): void {
  app.register(async (scope) => {
    scope.addHook("onRequest", async (request) => requireOperator(request, engine, secretKey));

    scope.get("/sandbox", (_request, reply) => sendPage(reply, 200, operatorPage(engine)));

    scope.post("/sandbox/clock/advance", async (request, reply) => {
      const { days = 0, seconds = 0 } = validFields(step, readFields(request));
      return respondToAdvance(request, reply, await clock.advance(days * DAY + seconds));
    });

    scope.post("/sandbox/settings", (request, reply) => {
      const { afterRetries } = validFields(settings, readFields(request));
      engine.write(() => engine.state.setAfterRetries(afterRetries));
      return respond(request, reply, { afterRetries });
    });

    scope.post("/sandbox/promotion-codes", (request, reply) => {
      const fields = validFields(promotion, readFields(request));
      const { amountOff, currency = "", expiresInDays, account } = fields;
      const seller =
        account === undefined ? engine : engine.forAccount(openObject(engine, "account", account).record.id);
      const terms = {
        ...fields,
        name: null,
        amountsOff: amountOff === undefined ? undefined : { [currency]: amountOff },
        expiresAt: expiresInDays === undefined ? undefined : engine.now() + expiresInDays * DAY,
      };
      return respond(
        request,
        reply,
        seller.write(() => createPromotion(seller, terms)),
      );
    });

    scope.post<ObjectRoute>("/sandbox/checkout/:id/complete-earlier", (request, reply) => {
      let pause: () => void = () => undefined;
      const answer = change(request, reply, "checkout", (at, checkout, fields) => {
        const { paidAt, metadata, isPaused, ...payer } = validFields(earlier, fields);
        if (paidAt > at.now() || paidAt < at.now() - EARLIEST) {
          throw refused(400, "A purchase is made in the past, by 1096 days at most.");
        }
        const card = cardEnding(DEFAULT_CARD);
        if (card === undefined) throw new Error("There is no default card.");
        const written = {
          ...checkout,
          subscriptionMetadata: { ...checkout.subscriptionMetadata, ...metadata },
        };
        const { session } = at.at(paidAt, () => payCheckout(at, written, { ...payer, card }));
        if (isPaused) {
          pause = () => {
            const sold = at.records.get("subscription", session.subscription ?? "");
            changeSubscription(at, sold, { pause_collection: { behavior: "void", resumes_at: null } });
          };
        }
        return session;
      });
      for (let round = 0; round < MOST_ROUNDS && !processDue(engine); round += 1);
      pause();
      return answer;
    });

    scope.post<ObjectRoute>("/sandbox/charges/:id/refund", (request, reply) =>
      change(request, reply, "charge", (at, charge, fields) =>
        refundCharge(at, charge, validFields(refund, fields)),
      ),
    );

    scope.post<ObjectRoute>("/sandbox/charges/:id/dispute", (request, reply) =>
      change(request, reply, "charge", (at, charge, fields) => {
        const { reason, kind } = validFields(dispute, fields);
        return disputeCharge(at, charge, { reason, isInquiry: kind === "inquiry" });
      }),
    );

    scope.post<ObjectRoute>("/sandbox/disputes/:id/close", (request, reply) =>
      change(request, reply, "dispute", (at, open, fields) =>
        closeDispute(at, open, validFields(closing, fields).outcome),
      ),
    );
  });

  function change<K extends RecordKind>(
    request: FastifyRequest<ObjectRoute>,
    reply: FastifyReply,
    kind: K,
    act: (at: Engine, record: Records[K], fields: Fields) => object,
  ): FastifyReply {
    const { engine: at, record } = openObject(engine, kind, request.params.id);
    const fields = readFields(request);
    return respond(
      request,
      reply,
      at.write(() => act(at, record, fields)),
    );
  }
}

/** Sends programs the result, and people back to the operator's page. */
function respond(request: FastifyRequest, reply: FastifyReply, result: object): FastifyReply {
  return wantsPage(request) ? reply.redirect("/sandbox", 303) : reply.send(result);
}

function respondToAdvance(request: FastifyRequest, reply: FastifyReply, advance: Advance): FastifyReply {
  const now = new Date(advance.now * 1000).toISOString();
  if (!wantsPage(request)) return reply.send({ ...advance, now });
  const counted = Object.entries(advance.counts).map(([type, times]) => `${times} × ${type}`);
  const happened = counted.length === 0 ? "Nothing was due." : `${counted.join(", ")}.`;
  const more = advance.arrived ? "" : " There was more to do than one step allows: advance the clock again.";
  return sendPage(reply, 200, notice(`It is now ${now}`, `${happened}${more}`, "/sandbox"));
}

function wantsPage(request: FastifyRequest): boolean {
  return !isProgram(request) && request.headers.accept?.includes("text/html") === true;
}

/** Browsers name the origin of a form, so that another site's page can't make one on this machine send it here. */
function requireOperator(request: FastifyRequest, { publicUrl }: Engine, secretKey: string): void {
  const from = request.headers["sec-fetch-site"];
  const writes = request.method !== "GET" && request.method !== "HEAD";
  if (writes && from !== undefined && from !== "same-origin" && from !== "none") {
    throw refused(403, "Other sites can't use this.");
  }
  if (isLoopback(publicUrl.hostname) && isOnThisMachine(request)) return;
  const given = hash("sha256", request.headers.authorization ?? "", "buffer");
  if (timingSafeEqual(given, hash("sha256", `Bearer ${secretKey}`, "buffer"))) return;
  throw refused(401, "From outside this machine the sandbox's operators need its API key.");
}

function refused(status: number, message: string): ApiError {
  return new ApiError(status, { type: "invalid_request_error", message });
}

/** Peer and client must be on this machine, under its own name: any foreign domain can be pointed at it. */
function isOnThisMachine({ socket, headers, hostname, ip }: FastifyRequest): boolean {
  const isForwarded = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return isLocalAddress(socket.remoteAddress) && isLocalAddress(ip) && !isForwarded && isLoopback(hostname);
}

function isLocalAddress(address: string | undefined): boolean {
  return address !== undefined && isLoopback(address.replace(/^::ffff:/, ""));
}
