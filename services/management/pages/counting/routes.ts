import type { FastifyInstance } from "fastify";
import { compressOnce } from "#libs/http/index.ts";
import { countingPage, type UsualLimits } from "./page.ts";

interface CountingPorts {
  readonly usualLimits: UsualLimits;
}

/** `/v1/docs/counting`: how events are counted, for anybody. A page, so not part of the contract. */
export async function countingRoutes(app: FastifyInstance, { usualLimits }: CountingPorts): Promise<void> {
  const page = countingPage(usualLimits);
  await app.register(async (scope) => {
    compressOnce(scope);
    scope.get("/v1/docs/counting", async (_request, reply) =>
      reply
        .headers({
          "content-type": "text/html; charset=utf-8",
          "content-security-policy": POLICY,
          "cache-control": "public, max-age=300, must-revalidate",
        })
        .send(page),
    );
  });
}

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
