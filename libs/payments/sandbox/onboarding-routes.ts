import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { html } from "#libs/html/index.ts";
import { missing } from "./api-error.ts";
import { setUpAccount } from "./new-account.ts";
import { isProgram, readFields, sendPage, validFields } from "./page-io.ts";
import { page } from "./page-layout.ts";
import { settleWhatIsDue } from "./passage-of-time.ts";
import type { Onboarding } from "./records.ts";
import type { World } from "./world.ts";

const ends = z.object({
  end: z.enum(["ready", "under review"], { error: "An account is ready or under review." }).default("ready"),
});

interface OnboardingRoute {
  Params: { id: string };
}

/** Where the owner of a connected account sets it up. A link that is old or used leads to a new one. */
export function onboardingRoutes(app: FastifyInstance, world: World): void {
  app.get<OnboardingRoute>("/sandbox/onboarding/:id", (request, reply) => {
    const link = linkOf(world, request.params.id);
    if (!isGood(world, link)) return reply.redirect(link.refreshUrl, 303);
    const targets = [link.refreshUrl, link.returnUrl].map((url) => new URL(url).origin);
    return sendPage(reply, 200, onboardingPage(link), [...new Set(targets)]);
  });

  app.post<OnboardingRoute>("/sandbox/onboarding/:id/complete", (request, reply) => {
    const link = linkOf(world, request.params.id);
    if (!isGood(world, link)) return goOn(request, reply, link.refreshUrl);
    const { end } = validFields(ends, readFields(request));
    world.write(() => {
      const account = world.records.find("account", link.account);
      if (account === undefined) throw missing("account", link.account);
      setUpAccount(world, account, end);
      world.records.save("onboarding", { ...link, expiresAt: world.now() });
    });
    return goOn(request, reply, link.returnUrl);
  });

  app.post<OnboardingRoute>("/sandbox/onboarding/:id/later", (request, reply) => {
    return goOn(request, reply, linkOf(world, request.params.id).returnUrl);
  });
}

function onboardingPage(link: Onboarding): string {
  const path = `/sandbox/onboarding/${link.id}`;
  return page(
    "Set up payments",
    html`<form class="card" method="post" action="${path}/complete"><h1>Set up payments</h1>
<p>Stripe would ask here who you are and where your money goes. The sandbox asks how it ends.</p>
<button name="end" value="ready">Finish, ready to sell</button>
<button class="second" name="end" value="under review">Finish, but stay under review</button>
<button class="second" formaction="${path}/later">Go on later</button></form>`,
  );
}

function goOn(request: FastifyRequest, reply: FastifyReply, url: string): FastifyReply {
  return isProgram(request) ? reply.send({ url }) : reply.redirect(url, 303);
}

function isGood(world: World, link: Onboarding): boolean {
  return link.expiresAt > world.now();
}

function linkOf(world: World, id: string): Onboarding {
  settleWhatIsDue(world);
  const link = world.records.find("onboarding", id);
  if (link === undefined) throw missing("account_link", id);
  return link;
}
