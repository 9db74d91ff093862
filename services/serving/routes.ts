import type { FastifyPluginCallback } from "fastify";
import type { Registry } from "prom-client";
import type { EventLog } from "#libs/event-log/index.ts";
import { openToBrowsers } from "#libs/http/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import type { Placements, SnapshotSource } from "#libs/placements/index.ts";
import type { Warn } from "./complaint.ts";
import { Directory } from "./directory.ts";
import { createServingMetrics } from "./metrics.ts";
import { createReadyReply } from "./ready-reply.ts";
import { createEventRecorder } from "./record-events.ts";
import { ResponseCache } from "./response-cache.ts";
import { addServingRoutes } from "./serving-routes.ts";
import { addTrackingRoutes } from "./tracking-routes.ts";

export interface ServingDeps {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly limits: Limits;
  readonly log: EventLog;
  /** Keys the rotation's draw: the same in every process of an installation, so that all of them answer alike. */
  readonly rotationSecret: string;
  readonly registry: Registry;
  /** Where callers reach the service, as `createServer` was told. */
  readonly publicUrl: URL;
  readonly onWarning: Warn;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** How often held snapshots are checked for newer versions, in milliseconds. Default 2,000. */
  readonly checkEveryMs?: number;
}

/**
 * Endpoints 1 to 4 as one Fastify plugin, to be registered under the version's prefix. It closes what it opens when
 * the server closes; what it is given stays its caller's to close, after the server.
 */
export function servingRoutes(deps: ServingDeps): FastifyPluginCallback {
  const { placements, source, limits, log, rotationSecret, registry, onWarning, now = Date.now } = deps;
  const replyReady = createReadyReply(deps.publicUrl);

  return (app, _options, done) => {
    const metrics = createServingMetrics(registry);
    const directory = new Directory({
      placements,
      source,
      metrics,
      onWarning,
      now,
      ...(deps.checkEveryMs === undefined ? {} : { checkEveryMs: deps.checkEveryMs }),
    });
    app.addHook("onClose", async () => directory.close());
    openToBrowsers(app);
    // Ready answers are past every hook, and count themselves.
    app.addHook("onSend", (request, reply, _body, sent) => {
      metrics.countAnswersOf(request.routeOptions.url ?? "unknown")(reply.statusCode);
      sent();
    });

    app.register((scope, _scopeOptions, ready) => {
      const responses = new ResponseCache({ secret: rotationSecret });
      addServingRoutes(scope, { directory, responses, metrics, replyReady, now });
      ready();
    });
    app.register((scope, _scopeOptions, ready) => {
      const record = createEventRecorder({ limits, log, metrics, onWarning });
      addTrackingRoutes(scope, { directory, metrics, record, replyReady, now });
      ready();
    });
    done();
  };
}
