import { type BareOn, startBare } from "../baselines/bare.ts";
import { ACCEPTED, BROWSER } from "../clients/browser.ts";
import type { Load } from "../clients/load.ts";
import type { Options } from "../measure/options.ts";
import type { Server } from "../processes/server.ts";

/**
 * A visitor that comes again within ten seconds counts once: with this many per second of a connection's load,
 * most events are new.
 */
const VISITORS_PER_SECOND = 20;

/** A bare server with the route and the answer of impressions, which stores nothing. */
export function startBareImpressions({ profileDir }: Options, on: BareOn = "Fastify"): Promise<Server> {
  return startBare(
    {
      method: "POST",
      url: "/v1/ads/:adId/impressions",
      headers: { "content-type": "application/json; charset=utf-8" },
      body: ACCEPTED,
    },
    profileDir,
    on,
  );
}

/** Impressions of these ads on that server, as fast as answers come. */
export function impressionsOn(
  { origin }: Pick<Server, "origin">,
  adIds: readonly string[],
  connections: number,
  { duration }: Options,
): Load & { readonly connections: number } {
  return {
    origin,
    method: "POST",
    paths: adIds.map((adId) => `/v1/ads/${adId}/impressions`),
    headers: { "user-agent": BROWSER },
    visitorsPerConnection: Math.ceil(duration * VISITORS_PER_SECOND),
    expectBody: ACCEPTED,
    duration,
    connections,
  };
}
