// A serving process of its own, for a test to kill: prints its address, then every event is acknowledged over HTTP.
import { pino } from "pino";
import { Registry } from "prom-client";
import { openLocalEventLog } from "#libs/event-log/index.ts";
import { createServer } from "#libs/http/index.ts";
import { createMemoryLimits } from "#libs/limits/index.ts";
import { createMemoryPlacements } from "#libs/placements/index.ts";
import { NO_COUNTRIES } from "../countries/country-table.ts";
import { NO_NETWORKS } from "../networks/network-table.ts";
import { servingRoutes } from "../start/routes.ts";
import { createUserAgents } from "../verdict/user-agents.ts";
import { anAd, aSnapshot } from "./builders.ts";
import { InMemorySource } from "./in-memory-source.ts";

const [, , file = "", ...adIds] = process.argv;
const log = await openLocalEventLog({ file });
const publicUrl = new URL("http://127.0.0.1");
const app = createServer({
  logger: pino({ level: "silent" }),
  trustProxy: false,
  publicUrl,
});
const limits = { impressionsPerMinute: 0, clicksPerMinute: 0, impressionWindowMs: 0, clickWindowMs: 0 };
await app.register(
  servingRoutes({
    placements: createMemoryPlacements(),
    source: new InMemorySource([aSnapshot({ ads: adIds.map((id) => anAd({ id })) })]),
    limits: createMemoryLimits(),
    tracking: limits,
    log,
    blocked: NO_NETWORKS,
    countries: NO_COUNTRIES,
    userAgents: createUserAgents(),
    publicUrl,
    rotationSecret: "a secret for tests",
    proofSecrets: ["another secret for tests"],
    proofValidMinutes: 15,
    serverEventsPerMinute: 0,
    registry: new Registry(),
    onWarning: () => {},
  }),
  { prefix: "/v1" },
);
process.stdout.write(`${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
