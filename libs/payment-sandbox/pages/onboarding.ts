import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { html } from "#libs/html/index.ts";
import type { Engine } from "../engine/engine.ts";
import { processDue } from "../engine/process-due.ts";
import type { Onboarding } from "../engine/record-kinds.ts";
import type { Account } from "../engine/records.ts";
import { isProgram, type ObjectRoute, readFields, sendPage, validFields } from "./forms.ts";
import { page } from "./layout.ts";

const outcome = z.object({
  end: z.enum(["ready", "under review"], { error: "An account is ready or under review." }).default("ready"),
});

/** The pages where the owner of a connected account sets it up. An expired or used link leads to a new one. */
export function onboardingRoutes(app: FastifyInstance, engine: Engine): void {
  app.get<ObjectRoute>("/sandbox/onboarding/:id", (request, reply) => {
    const link = linkOf(engine, request.params.id);
    if (link.expiresAt <= engine.now()) return reply.redirect(link.refreshUrl, 303);
    const targets = [link.refreshUrl, link.returnUrl].map((url) => new URL(url).origin);
    return sendPage(reply, 200, onboardingPage(link), [...new Set(targets)]);
  });

  app.post<ObjectRoute>("/sandbox/onboarding/:id/complete", (request, reply) => {
    const link = linkOf(engine, request.params.id);
    if (link.expiresAt <= engine.now()) return continueAt(request, reply, link.refreshUrl);
    const { end } = validFields(outcome, readFields(request));
    engine.write(() => {
      setUpAccount(engine, engine.records.get("account", link.account), end === "ready");
      engine.records.save("onboarding", { ...link, expiresAt: engine.now() });
    });
    return continueAt(request, reply, link.returnUrl);
  });

  app.post<ObjectRoute>("/sandbox/onboarding/:id/later", (request, reply) =>
    continueAt(request, reply, linkOf(engine, request.params.id).returnUrl),
  );
}

/** Completes an account's onboarding. Unless it is ready, it stays under review and cannot charge. */
function setUpAccount(engine: Engine, account: Account, ready: boolean): void {
  const { charges_enabled, details_submitted, payouts_enabled } = account;
  const after = { ...account, charges_enabled: ready, details_submitted: true, payouts_enabled: ready };
  engine.records.save("account", after);
  const before = { charges_enabled, details_submitted, payouts_enabled };
  engine.forAccount(account.id).emit("account.updated", after, before);
}

function onboardingPage(link: Onboarding): string {
  const path = `/sandbox/onboarding/${link.id}`;
  return page(
    "Set up payments",
    html`<form class="card" method="post" action="${path}/complete"><h1>Set up payments</h1>
<p>Stripe would ask here who you are and where to send your money. In the sandbox you choose the outcome.</p>
<button name="end" value="ready">Finish, ready to sell</button>
<button class="second" name="end" value="under review">Finish, but stay under review</button>
<button class="second" formaction="${path}/later">Continue later</button></form>`,
  );
}

function continueAt(request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply {
  return isProgram(request) ? reply.send({ url }) : reply.redirect(url, 303);
}

function linkOf(engine: Engine, id: string): Onboarding {
  processDue(engine);
  return engine.records.get("onboarding", id);
}
