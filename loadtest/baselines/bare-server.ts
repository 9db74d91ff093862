// The baseline: the least that answers with the same bytes on the same framework. One route, one ready Buffer.
import { fastify } from "fastify";
import { z } from "zod";
import { bareRoute } from "./bare.ts";

const { method, url, headers, body, status } = bareRoute.parse(JSON.parse(z.string().parse(process.argv[2])));
const ready = Buffer.from(body);
const app = fastify();
app.route({ method, url, handler: (_request, reply) => reply.code(status).headers(headers).send(ready) });
process.on("SIGTERM", () => process.exit());
process.stdout.write(`listening at ${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
