import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { ApiError, cardDeclined, missing } from "./api-error.ts";
import { type Attempt, checkoutPage, notice, successUrl } from "./checkout-page.ts";
import { parseForm } from "./form-encoding.ts";
import { completeCheckout } from "./lifecycle.ts";
import { contentSecurityPolicy } from "./page-layout.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import { portalPage } from "./portal-page.ts";
import type { Checkout } from "./records.ts";
import type { World } from "./world.ts";

const LARGEST_BODY = 16 * 1024;

const payerFields = z.object({
  email: z.email({ error: "This is not an e-mail address." }).max(254, "This e-mail address is too long."),
  name: z
    .string({ error: "The name must be a text." })
    .trim()
    .max(256, "The name is too long.")
    .refine(
      (name) => name.isWellFormed() && !name.includes("\0"),
      "The name holds characters that are not allowed.",
    )
    .default(""),
});

interface SessionRoute {
  Params: { id: string };
}

/** Stripe's hosted pages, for the main server: each answers browsers with HTML and programs with JSON. */
export function createHostedPages(world: World): FastifyPluginAsync {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "string", bodyLimit: LARGEST_BODY }, (_request, body, done) =>
      done(null, body),
    );
    app.setErrorHandler((error, request, reply) => {
      if (!(error instanceof ApiError)) throw error;
      if (isJson(request) || request.headers.accept?.includes("text/html") !== true) {
        return reply.code(error.status).send(error.body());
      }
      return sendPage(reply, error.status, notice("This page does not exist", error.message, null), []);
    });

    app.get<SessionRoute>("/sandbox/checkout/:id", (request, reply) => {
      settleWhatIsDue(world);
      return showCheckout(world, checkoutOf(world, request.params.id), null, 200, reply);
    });

    app.post<SessionRoute>("/sandbox/checkout/:id/complete", (request, reply) => {
      settleWhatIsDue(world);
      const checkout = checkoutOf(world, request.params.id);
      return attempt(world, checkout, request, reply, (fields) => {
        if (checkout.session.status === "complete") return checkout;
        const { email, name } = readPayer(checkout, fields);
        return world.write(() =>
          completeCheckout(world, checkout, { email, name: name === "" ? null : name }),
        );
      });
    });

    app.post<SessionRoute>("/sandbox/checkout/:id/decline", (request, reply) => {
      const checkout = checkoutOf(world, request.params.id);
      return attempt(world, checkout, request, reply, () => {
        if (checkout.session.status === "complete") return checkout;
        throw cardDeclined();
      });
    });

    app.get<SessionRoute>("/sandbox/portal/:id", (request, reply) => {
      const portal = world.state.find("portal", request.params.id);
      if (portal === undefined) throw missing("billing_portal.session", request.params.id);
      const mine = world.state.list("subscription").filter(({ customer }) => customer === portal.customer);
      return sendPage(reply, 200, portalPage(portal, mine), []);
    });
  };
}

/** Tries to pay; answers with where to go next, or with what went wrong. */
function attempt(
  world: World,
  checkout: Checkout,
  request: FastifyRequest,
  reply: FastifyReply,
  pay: (fields: Readonly<Record<string, unknown>>) => Checkout,
): FastifyReply {
  const json = isJson(request);
  let fields: Readonly<Record<string, unknown>> = {};
  try {
    fields = readFields(request.body, json);
    const url = successUrl(pay(fields));
    return json ? reply.send({ status: "complete", url }) : reply.redirect(url, 303);
  } catch (error) {
    if (!(error instanceof ApiError) || json) throw error;
    const typed = { email: textOf(fields.email), name: textOf(fields.name), problem: error.message };
    return showCheckout(world, checkout, typed, error.status, reply);
  }
}

function readFields(body: unknown, json: boolean): Readonly<Record<string, unknown>> {
  const text = typeof body === "string" ? body : "";
  if (!json) return parseForm(text);
  try {
    return z.record(z.string(), z.unknown()).parse(text === "" ? {} : JSON.parse(text));
  } catch {
    throw unprocessable("The body is not a JSON object.");
  }
}

function readPayer(
  { session }: Checkout,
  fields: Readonly<Record<string, unknown>>,
): z.infer<typeof payerFields> {
  const read = payerFields.safeParse({ ...fields, email: session.customer_email ?? fields.email });
  if (read.success) return read.data;
  const issue = read.error.issues[0];
  throw unprocessable(issue?.message ?? "The details are not valid.", String(issue?.path[0] ?? ""));
}

function unprocessable(message: string, param = ""): ApiError {
  const about = param === "" ? {} : { param };
  return new ApiError(422, { type: "invalid_request_error", code: "parameter_invalid", message, ...about });
}

function showCheckout(
  world: World,
  checkout: Checkout,
  typed: Attempt | null,
  status: number,
  reply: FastifyReply,
): FastifyReply {
  const price = world.state.find("price", checkout.priceId);
  const product = world.state.find("product", String(price?.product));
  if (price === undefined || product === undefined) throw missing("price", checkout.priceId);
  const page = checkoutPage(checkout, price, product, typed);
  return sendPage(reply, status, page, [new URL(successUrl(checkout)).origin]);
}

function sendPage(
  reply: FastifyReply,
  status: number,
  page: string,
  formTargets: readonly string[],
): FastifyReply {
  return reply
    .code(status)
    .header("content-security-policy", contentSecurityPolicy(formTargets))
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer")
    .type("text/html; charset=utf-8")
    .send(page);
}

function checkoutOf({ state }: World, id: string): Checkout {
  const checkout = state.find("checkout", id);
  if (checkout === undefined) throw missing("checkout.session", id);
  return checkout;
}

function isJson(request: FastifyRequest): boolean {
  return request.headers["content-type"]?.startsWith("application/json") ?? false;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
