import { randomUUID } from "node:crypto";
import { describeLimits } from "./limits-suite.ts";
import { createRedisLimits } from "./redis.ts";
import { openTestCluster } from "./tests/engines.ts";

const { redis, health } = await openTestCluster();

describeLimits("redis cluster", async () => createRedisLimits({ redis, health, prefix: randomUUID() }));
