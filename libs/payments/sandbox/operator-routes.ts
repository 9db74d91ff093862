import { hash, timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { isLoopback } from "#libs/process/loopback.ts";
import { ApiError, missing } from "./api-error.ts";
import type { Advance, Clock } from "./clock.ts";
import { operatorPage } from "./operator-page.ts";
import { type Fields, isProgram, readFields, sendPage, validFields } from "./page-io.ts";
import { notice } from "./page-parts.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import type { RecordKind, Records } from "./records.ts";
import { closeDispute, disputeCharge, refundCharge } from "./refunds.ts";
import { AFTER_RETRIES } from "./state.ts";
import type { World } from "./world.ts";

const DAY = 86_400;

const whole = z.preprocess(
  (value) =>
    typeof value === "string" && /^\d{1,12}$/.test(value) ? Number(value) : value === "" ? undefined : value,
  z.int({ error: "This must be a whole number." }).min(0, "This must not be negative.").optional(),
);
const step = z
  .object({ days: whole, seconds: whole })
  .refine(({ days = 0, seconds = 0 }) => days + seconds > 0, "Say by how many days or seconds.");
const settings = z.object({
  afterRetries: z.enum(AFTER_RETRIES, { error: `This is one of ${AFTER_RETRIES.join(", ")}.` }),
});
const refund = z.object({
  amount: whole,
  reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
});
const dispute = z.object({ reason: z.string().max(100).default("fraudulent") });
const closing = z.object({ outcome: z.enum(["won", "lost"], { error: "A dispute is won or lost." }) });

interface ObjectRoute {
  Params: { id: string };
}

/**
 * What an operator of the sandbox can do: move its clock, give money back, let a bank take it. Offered without a key to
 * callers on this machine that use its own names, where the sandbox is meant for this machine; to others with its API key.
 */
export function operatorRoutes(app: FastifyInstance, world: World, secretKey: string, clock: Clock): void {
  app.register(async (scope) => {
    scope.addHook("onRequest", async (request) => requireOperator(request, world, secretKey));

    scope.get("/sandbox", (_request, reply) => {
      settleWhatIsDue(world);
      return sendPage(reply, 200, operatorPage(world));
    });

    scope.post("/sandbox/clock/advance", async (request, reply) => {
      const { days = 0, seconds = 0 } = validFields(step, readFields(request));
      return tellAdvance(request, reply, await clock.advance(days * DAY + seconds));
    });

    scope.post("/sandbox/settings", (request, reply) => {
      const { afterRetries } = validFields(settings, readFields(request));
      world.write(() => world.state.setAfterRetries(afterRetries));
      return tell(request, reply, { afterRetries });
    });

    scope.post<ObjectRoute>("/sandbox/charges/:id/refund", (request, reply) =>
      change(request, reply, "charge", (at, charge, fields) =>
        refundCharge(at, charge, validFields(refund, fields)),
      ),
    );

    scope.post<ObjectRoute>("/sandbox/charges/:id/dispute", (request, reply) =>
      change(request, reply, "charge", (at, charge, fields) =>
        disputeCharge(at, charge, validFields(dispute, fields).reason),
      ),
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
    act: (at: World, record: Records[K], fields: Fields) => object,
  ): FastifyReply {
    settleWhatIsDue(world);
    const { id } = request.params;
    const at = world.within(world.state.records.ownerOf(kind, id) ?? null);
    const record = at.records.find(kind, id);
    if (record === undefined) throw missing(kind, id);
    const fields = readFields(request);
    return tell(
      request,
      reply,
      at.write(() => act(at, record, fields)),
    );
  }
}

/** Programs are told what was done; people are shown it. */
function tell(request: FastifyRequest, reply: FastifyReply, done: object): FastifyReply {
  return wantsPage(request) ? reply.redirect("/sandbox", 303) : reply.send(done);
}

function tellAdvance(request: FastifyRequest, reply: FastifyReply, advance: Advance): FastifyReply {
  const now = new Date(advance.now * 1000).toISOString();
  if (!wantsPage(request)) return reply.send({ ...advance, now });
  const counted = Object.entries(advance.counts).map(([type, times]) => `${times} × ${type}`);
  const happened = counted.length === 0 ? "Nothing was due." : `${counted.join(", ")}.`;
  const more = advance.arrived ? "" : " There was more to do than one step allows: move it on.";
  return sendPage(reply, 200, notice(`It is ${now}`, `${happened}${more}`, "/sandbox"));
}

function wantsPage(request: FastifyRequest): boolean {
  return !isProgram(request) && request.headers.accept?.includes("text/html") === true;
}

/** Another site's page may make a browser on this machine send forms here; browsers say so. */
function requireOperator(request: FastifyRequest, { publicUrl }: World, secretKey: string): void {
  const from = request.headers["sec-fetch-site"];
  const writes = request.method !== "GET" && request.method !== "HEAD";
  if (writes && from !== undefined && from !== "same-origin" && from !== "none") {
    throw new ApiError(403, {
      type: "invalid_request_error",
      message: "This is not offered to other sites.",
    });
  }
  if (isLoopback(publicUrl.hostname) && isOnThisMachine(request)) return;
  const given = hash("sha256", request.headers.authorization ?? "", "buffer");
  if (timingSafeEqual(given, hash("sha256", `Bearer ${secretKey}`, "buffer"))) return;
  throw new ApiError(401, {
    type: "invalid_request_error",
    message: "Where the sandbox is reached from elsewhere, its operators need its API key.",
  });
}

/**
 * The peer itself has to be here, and nobody behind it may be elsewhere. A name that is not ours is refused because
 * anybody's domain can be made to lead to this machine, and a browser then takes that site for us.
 */
function isOnThisMachine({ socket, headers, hostname, ip }: FastifyRequest): boolean {
  const isPassedOn = headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined;
  return isLocalAddress(socket.remoteAddress) && isLocalAddress(ip) && !isPassedOn && isLoopback(hostname);
}

function isLocalAddress(address: string | undefined): boolean {
  return address !== undefined && isLoopback(address.replace(/^::ffff:/, ""));
}
