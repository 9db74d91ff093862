// The baseline below the baseline: what Node alone takes to answer with the same bytes, whatever is asked.
import { createServer } from "node:http";
import { z } from "zod";
import { bareRoute } from "./bare.ts";

const { headers, body, status } = bareRoute.parse(JSON.parse(z.string().parse(process.argv[2])));
const ready = Buffer.from(body);
const all = { ...headers, "content-length": ready.length };
const server = createServer((_request, response) => response.writeHead(status, all).end(ready));
process.on("SIGTERM", () => process.exit());
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  if (typeof address === "object") process.stdout.write(`listening at http://127.0.0.1:${address?.port}\n`);
});
