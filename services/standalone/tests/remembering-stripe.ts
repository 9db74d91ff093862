import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { z } from "zod";
import { listenOnLoopback } from "#libs/process/ports.ts";

type Facts = Record<string, unknown>;

/** stripe-mock with a memory: it judges and answers every request, and of one sale we remember what it cannot. */
export interface RememberingStripe {
  readonly url: string;
  /** Pays the checkout that was opened last, as an advertiser of that address would; the session as it is then. */
  pay(email: string): Facts;
  /** What stripe-mock would not take. */
  readonly refused: readonly string[];
  /** The status of the subscription that was bought. */
  readonly status: string;
}

const MONTH = 30 * 86_400;

/** Opens it in front of the stripe-mock given; it ends with the test. */
export async function openRememberingStripe(stripeMock: string): Promise<RememberingStripe> {
  const refused: string[] = [];
  let session: Facts = {};
  let subscription: Facts = {};

  const server = createServer(async (request, response) => {
    const { method = "GET", url: path = "/" } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    const { authorization = "", "stripe-version": version = "" } = request.headers;
    const answered = await fetch(new URL(path, stripeMock), {
      method,
      headers: {
        authorization,
        "stripe-version": String(version),
        "content-type": "application/x-www-form-urlencoded",
      },
      ...(body === "" ? {} : { body }),
    });
    const answer: Facts = await answered.json();
    if (!answered.ok) refused.push(`${method} ${path} ${body}: ${JSON.stringify(answer)}`);
    response.writeHead(answered.status, { "content-type": "application/json" });
    response.end(
      JSON.stringify(
        answered.ok ? remembered(`${method} ${path}`, new URLSearchParams(body), answer) : answer,
      ),
    );
  });

  function remembered(request: string, form: URLSearchParams, answer: Facts): Facts {
    if (request === "POST /v1/checkout/sessions") session = openedSession(form, answer);
    if (request.startsWith("DELETE /v1/subscriptions/")) {
      subscription = { ...subscription, status: "canceled", canceled_at: now() };
    }
    const pause = form.get("pause_collection[behavior]");
    if (pause !== null)
      subscription = { ...subscription, pause_collection: { behavior: pause, resumes_at: null } };
    if (form.get("pause_collection") === "") subscription = { ...subscription, pause_collection: null };
    if (form.has("trial_end")) {
      subscription = { ...subscription, status: "trialing", trial_end: Number(form.get("trial_end")) };
    }
    if (request.startsWith("POST /v1/subscriptions/")) {
      subscription = { ...subscription, metadata: changedMetadata(subscription.metadata, form) };
    }
    if (answer.object === "checkout.session") return { ...answer, ...session };
    if (answer.object === "subscription") return { ...answer, ...subscription };
    if (answer.object === "invoice") return paidInvoice(answer);
    if (request.startsWith("GET /v1/invoices?")) {
      const { data } = z.object({ data: z.array(z.looseObject({})).length(1) }).parse(answer);
      return { ...answer, data: request.includes("status=paid") ? data.map(paidInvoice) : [] };
    }
    return answer;
  }

  const port = await listenOnLoopback(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await once(server.close(), "close");
  });
  return {
    url: `http://127.0.0.1:${port}`,
    refused,
    get status() {
      return String(subscription.status);
    },
    pay(email) {
      subscription = boughtSubscription(session, email);
      const customer_details = { email, name: "Example Coffee" };
      const { id } = subscription;
      const customer = "cus_boughtAtStripeMock";
      session = {
        ...session,
        status: "complete",
        payment_status: "paid",
        url: null,
        subscription: id,
        customer,
        customer_details,
      };
      return session;
    },
  };
}

function openedSession(form: URLSearchParams, answer: Facts): Facts {
  return {
    id: answer.id,
    object: answer.object,
    status: "open",
    subscription: null,
    customer: null,
    customer_details: null,
    customer_email: null,
    client_reference_id: form.get("client_reference_id"),
    expires_at: now() + 86_400,
    metadata: {
      workspaceId: form.get("metadata[workspaceId]"),
      tierPriceId: form.get("metadata[tierPriceId]"),
    },
  };
}

/** An empty value takes a key away. */
function changedMetadata(before: unknown, form: URLSearchParams): Facts {
  const changes = [...form].flatMap(([name, value]) => {
    const [, key] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
    return key === undefined ? [] : [[key, value]];
  });
  const metadata: Facts = { ...Object(before), ...Object.fromEntries(changes) };
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== ""));
}

function boughtSubscription(session: Facts, email: string): Facts {
  const period = { current_period_start: now(), current_period_end: now() + MONTH };
  return {
    id: "sub_boughtAtStripeMock",
    status: "active",
    metadata: session.metadata,
    pause_collection: null,
    cancel_at: null,
    cancel_at_period_end: false,
    canceled_at: null,
    trial_end: null,
    customer: { id: "cus_boughtAtStripeMock", object: "customer", email, name: "Example Coffee" },
    items: { object: "list", data: [{ id: "si_1", price: { id: "price_1" }, ...period }] },
    latest_invoice: paidInvoice({}),
  };
}

/** The only one: of the purchase. */
function paidInvoice(answer: Facts): Facts {
  const period = { start: now(), end: now() + MONTH };
  const line = { period, parent: { subscription_item_details: { proration: false } } };
  const paid = { status: "paid", amount_paid: 4900, total: 4900, lines: { object: "list", data: [line] } };
  return { ...answer, id: "in_1", object: "invoice", ...paid };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
