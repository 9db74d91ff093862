import type { FastifyPluginCallback } from "fastify";
import type { Registry } from "prom-client";
import type { Warn } from "#libs/async/index.ts";
import type { TrackingLimits } from "#libs/domain/tracking-limits.ts";
import type { EventLog } from "#libs/event-log/index.ts";
import { openToBrowsers } from "#libs/http/index.ts";
import type { KeyRing } from "#libs/installation/index.ts";
import type { Limits } from "#libs/limits/index.ts";
import type { Placements, SnapshotSource } from "#libs/placements/index.ts";
import { createServingMetrics } from "../answers/metrics.ts";
import { Proofs } from "../answers/proofs.ts";
import { createRawWriter } from "../answers/raw-answer.ts";
import { Directory } from "../directory/directory.ts";
import { addServerEventsRoutes } from "../entrances/server-events-routes.ts";
import { addTrackingRoutes } from "../entrances/tracking-routes.ts";
import { createEventRecorder } from "../record/record-events.ts";
import { ResponseCache } from "../rotation/response-cache.ts";
import { addRotationRoutes } from "../rotation/rotation-routes.ts";
import { SiteSightings } from "../rotation/site-sightings.ts";
import { createKeptSalts, type VisitorSalts } from "../verdict/visitor-salts.ts";
import type { OperatorFiles } from "./operator-files.ts";

export interface ServingDeps extends OperatorFiles {
  readonly placements: Placements;
  readonly source: SnapshotSource;
  readonly tracking: TrackingLimits;
  /** Knows the salts of visitors. */
  readonly limits: Pick<Limits, "visitorSalt">;
  /** Where the salts are kept that processes share in Redis; undefined where `limits` keeps them. */
  readonly saltsFolder?: string | undefined;
  readonly log: EventLog;
  /** Keys the rotation's draw: the same in every process of an installation, so that all of them give the same answers. */
  readonly rotationSecret: string;
  /** Key the proofs that ads were handed out: the same in every process, as well. */
  readonly proofSecrets: KeyRing;
  /** How long a proof stays valid after its window. */
  readonly proofValidMinutes: number;
  /** Events that servers may report per minute and workspace to this process; 0 is no limit. */
  readonly serverEventsPerMinute: number;
  /** The header in which a trusted proxy names the visitor's country. */
  readonly countryHeader?: string | undefined;
  readonly registry: Registry;
  /** From which duration a request that waits for a snapshot is logged, in milliseconds. Default 1,000. */
  readonly slowRequestMs?: number;
  /** As `createServer` has it. */
  readonly publicUrl: URL;
  readonly onWarning: Warn;
  /** Milliseconds since the epoch. Default `Date.now`. */
  readonly now?: () => number;
  /** Milliseconds between checks for newer snapshots. Default 2,000. */
  readonly checkEveryMs?: number;
  /** How long callers wait for what has to be asked of Redis or Postgres, in milliseconds. Default 10,000. */
  readonly answersWithinMs?: number;
}

const SLOW_MS = 1_000;

/**
 * The endpoints of serving as a Fastify plugin, to be registered under the prefix of the API's version. What `deps` holds
 * stays its caller's to close, after the server.
 */
export function servingRoutes(deps: ServingDeps): FastifyPluginCallback {
  const { placements, source, tracking, log, registry, onWarning, now = Date.now } = deps;
  const { blocked, userAgents } = deps;
  const writeRaw = createRawWriter(deps.publicUrl);

  return (app, _options, done) => {
    const metrics = createServingMetrics(registry);
    const proofs = new Proofs({ secrets: deps.proofSecrets, validMinutes: deps.proofValidMinutes });
    const directory = new Directory({
      placements,
      source,
      metrics,
      onWarning,
      now,
      ...(deps.checkEveryMs === undefined ? {} : { checkEveryMs: deps.checkEveryMs }),
      ...(deps.answersWithinMs === undefined ? {} : { answersWithinMs: deps.answersWithinMs }),
    });
    app.addHook("onClose", async () => directory.close());
    // Raw answers bypass hooks, and are counted where they are written.
    app.addHook("onSend", (request, reply, _body, sent) => {
      metrics.countAnswersOf(request.routeOptions.url ?? "unknown")(reply.statusCode);
      sent();
    });

    app.register((scope, _scopeOptions, ready) => {
      openToBrowsers(scope);
      const responses = new ResponseCache({ secret: deps.rotationSecret, proofs });
      const sightings = new SiteSightings(placements, deps.publicUrl);
      const { slowRequestMs = SLOW_MS } = deps;
      addRotationRoutes(scope, { directory, responses, sightings, metrics, writeRaw, now, slowRequestMs });
      ready();
    });
    const salts = saltsOf(deps, now);
    app.addHook("onClose", () => salts.close());
    const { record, recordRequest } = createEventRecorder({
      limits: tracking,
      log,
      salts,
      countries: deps.countries,
      metrics,
      onWarning,
      now,
    });
    const countryHeader = deps.countryHeader?.toLowerCase();
    app.register((scope, _scopeOptions, ready) => {
      openToBrowsers(scope);
      addTrackingRoutes(scope, {
        directory,
        blocked,
        userAgents,
        proofs,
        metrics,
        record,
        writeRaw,
        countryHeader,
        now,
      });
      ready();
    });
    app.register((scope, _scopeOptions, ready) => {
      const eventsPerMinute = deps.serverEventsPerMinute;
      addServerEventsRoutes(scope, {
        directory,
        blocked,
        userAgents,
        metrics,
        recordRequest,
        now,
        eventsPerMinute,
      });
      ready();
    });
    done();
  };
}

function saltsOf({ limits, saltsFolder, onWarning }: ServingDeps, now: () => number): VisitorSalts {
  if (saltsFolder !== undefined) return createKeptSalts({ limits, folder: saltsFolder, onWarning, now });
  return { of: (day) => limits.visitorSalt(day), close: async () => undefined };
}
