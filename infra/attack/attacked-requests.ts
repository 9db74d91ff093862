import type { z } from "zod";
import type { Endpoint } from "#libs/contract/endpoints.ts";
import { PEOPLE_ENDPOINTS } from "../../services/management/accounts/people/endpoints.ts";
import { soundBodies } from "../../services/management/tests/sound-bodies.ts";
import { MATRIX } from "../../services/management/tests/tenant-matrix/matrix.ts";
import { type Arena, ENDPOINTS } from "./arena.ts";

type Body = Readonly<Record<string, unknown>>;

/** A request whose every part is replaced by something hostile, one after the other. */
export interface AttackedRequest {
  readonly name: string;
  readonly method: string;
  /** With `{placeholders}` or `:parameters`. */
  readonly path: string;
  readonly body: Body | null;
  readonly encoding: "json" | "form";
  readonly query: readonly string[];
}

/** Every endpoint of the contract, with a sound body and the query that the interface description names. */
export function contractRequests(
  { ours }: Pick<Arena, "ours">,
  description: InterfaceDescription,
): AttackedRequest[] {
  const bodies = soundBodies(ours.ids);
  return ENDPOINTS.map((endpoint) => ({
    name: endpoint.name,
    method: endpoint.method,
    path: `/v1${endpoint.path}`,
    body: bodies[endpoint.name] ?? MATRIX[endpoint.name]?.body?.(ours) ?? null,
    encoding: "json",
    query: queryOf(endpoint, description),
  }));
}

/** What people sign up, sign in and change their account with. */
export function peopleRequests(): AttackedRequest[] {
  return PEOPLE_ENDPOINTS.map(({ method, path, input }) => {
    const sound = Object.fromEntries(namesOf(input).map((name) => [name, soundValue(name)]));
    return {
      name: `people${path}`,
      method,
      path: `/api/auth${path}`,
      body: method === "POST" ? sound : null,
      encoding: "json",
      query: method === "GET" ? namesOf(input) : [],
    };
  });
}

const card = { card: "4242424242424242" };

/** The forms and programs' calls beside the contract, by method and route. A route of a new form has to be named here. */
const PAGE_BODIES: Readonly<Record<string, { readonly body: Body; readonly encoding: "json" | "form" }>> = {
  "POST /advertise/:workspace": form({ price: "price_x", email: "ads@example.com" }),
  "POST /advertise/:workspace/link": form({ email: "ads@example.com" }),
  "POST /advertise/:workspace/checkout/:sessionId": form({
    name: "Coffee",
    websiteUrl: "https://coffee.example",
    "meta.magpie_claim": "1",
  }),
  "POST /advertise/:workspace/checkout/:sessionId/report/share": form({}),
  "POST /advertise/:workspace/checkout/:sessionId/report/unshare": form({}),
  "POST /advertise/:workspace/checkout/:sessionId/report/emails": form({ choice: "week" }),
  "POST /v1/webhooks/stripe": json({ id: "evt_1", type: "invoice.paid", data: { object: { id: "in_1" } } }),
  "POST /v1/unsubscribe/:token": form({ "List-Unsubscribe": "One-Click" }),
  "POST /v1/unsubscribe/:token/again": form({}),
  "POST /sandbox/checkout/:id/complete": json({ email: "ads@example.com", name: "Example", ...card }),
  "POST /sandbox/checkout/:id/complete-earlier": json({
    paidAt: "1767225600",
    email: "ads@example.com",
    name: "Example",
  }),
  "POST /sandbox/checkout/:id/promotion": json({ code: "HALF" }),
  "POST /sandbox/checkout/:id/decline": json(card),
  "POST /sandbox/checkout/:id/approve": json(card),
  "POST /sandbox/checkout/:id/refuse": json(card),
  "POST /sandbox/portal/:id/card": json(card),
  "POST /sandbox/portal/:id/subscriptions/:subscription/cancel": json({ feedback: "other", comment: "Bye" }),
  "POST /sandbox/portal/:id/subscriptions/:subscription/keep": json({ feedback: "other" }),
  "POST /sandbox/invoices/:id/pay": json(card),
  "POST /sandbox/onboarding/:id/complete": json({ end: "complete" }),
  "POST /sandbox/onboarding/:id/later": json({ end: "later" }),
  "POST /sandbox/clock/advance": json({ seconds: "1", days: "0" }),
  "POST /sandbox/settings": json({ afterRetries: "cancel" }),
  "POST /sandbox/promotion-codes": json({
    code: "SPRING",
    percentOff: "10",
    duration: "once",
    expiresInDays: "7",
  }),
  "POST /sandbox/charges/:id/refund": json({ amount: "1" }),
  "POST /sandbox/charges/:id/dispute": json({ reason: "fraudulent" }),
  "POST /sandbox/disputes/:id/close": json({ status: "won" }),
  "PUT /uploads/:workspaceId/:fileName": json({ any: "bytes" }),
};

/** Every route that is none of the contract's, none of `/api/auth` and no fixed file. */
export function pageRequests({ service }: Pick<Arena, "service">): AttackedRequest[] {
  const isPage = ({ method, url }: { method: string; url: string }) =>
    !["HEAD", "OPTIONS"].includes(method) && !isContractRoute(method, url) && !url.startsWith("/api/auth");
  return service.routes.filter(isPage).flatMap(({ method, url }): AttackedRequest[] => {
    const name = `${method} ${url}`;
    if (method === "GET") {
      // A file takes no input.
      if (/\.\w+$/.test(url)) return [];
      return [
        {
          name,
          method,
          path: url,
          body: null,
          encoding: "json",
          query: ["workspace", "price"],
        },
      ];
    }
    const known = PAGE_BODIES[name];
    if (known === undefined) throw new Error(`${name} is attacked by nothing: give it a body in PAGE_BODIES`);
    return [{ name, method, path: url, query: [], ...known }];
  });
}

/** What of `openapi.json` an attack needs. */
export interface InterfaceDescription {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly parameters?: readonly { in: string; name: string }[] }>>
    >
  >;
}

function queryOf({ method, path }: Endpoint, { paths }: InterfaceDescription): string[] {
  const operation = paths[path]?.[method.toLowerCase()];
  if (operation === undefined) throw new Error(`the interface description lacks ${method} ${path}`);
  return (operation.parameters ?? []).filter((one) => one.in === "query").map(({ name }) => name);
}

function isContractRoute(method: string, url: string): boolean {
  return ENDPOINTS.some(
    (endpoint) => endpoint.method === method && `/v1${endpoint.path.replace(/\{(\w+)\}/g, ":$1")}` === url,
  );
}

function namesOf(input: z.ZodType): string[] {
  return "shape" in input && typeof input.shape === "object" && input.shape !== null
    ? Object.keys(input.shape)
    : [];
}

function soundValue(name: string): unknown {
  // The right one would change the attacker's own password, which ends their session.
  if (name === "currentPassword") return "not the password";
  if (/email/i.test(name)) return "somebody@example.com";
  if (/password/i.test(name)) return "correct horse battery";
  return name === "rememberMe" || name.startsWith("revoke") ? true : "x";
}

function form(body: Body) {
  return { body, encoding: "form" } as const;
}

function json(body: Body) {
  return { body, encoding: "json" } as const;
}
