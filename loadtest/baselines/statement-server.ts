// A baseline: the common design, a Fastify that runs one SQL statement for each request and answers with what it returns.
import { fastify } from "fastify";
import pg from "pg";
import { z } from "zod";
import { statementRoute } from "./statement.ts";

const { databaseUrl, method, url, statement, parameters, answer } = statementRoute.parse(
  JSON.parse(z.string().parse(process.argv[2])),
);
const POOL_SIZE = 20;
const pool = new pg.Pool({ connectionString: databaseUrl, max: POOL_SIZE });
const values = z.record(z.string(), z.string());
const app = fastify();
app.route({
  method,
  url,
  async handler(request, reply) {
    const given = values.parse(request.params);
    const { rows } = await pool.query({
      name: "the statement",
      text: statement,
      values: parameters.map((name) => given[name]),
    });
    reply.type("application/json; charset=utf-8");
    return answer ?? JSON.stringify(rows);
  },
});
process.on("SIGTERM", () => process.exit());
process.stdout.write(`listening at ${await app.listen({ host: "127.0.0.1", port: 0 })}\n`);
