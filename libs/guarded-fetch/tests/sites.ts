import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type RequestListener } from "node:http";
import { onTestFinished } from "vitest";

type Listener = (...given: Parameters<RequestListener>) => void;

/** What a site answers at a path: bytes, or whatever the listener does. */
export type Answers = Readonly<Record<string, Buffer | string | Listener>>;

export interface Site {
  readonly port: number;
  /** Every request so far. */
  readonly requests: readonly { readonly url: string; readonly headers: IncomingHttpHeaders }[];
  /** How many connections were made so far. */
  connections(): number;
  /** An address at the site, under a name that leads there. */
  at(path: string, name?: string): URL;
}

/** A web server on this machine, taken down after the test. Texts are pages; what it does not know is 404. */
export async function aSite(answers: Answers, host = "127.0.0.1", port = 0): Promise<Site> {
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const { url = "", headers } = request;
    requests.push({ url, headers });
    const answer = Object.hasOwn(answers, url) ? answers[url] : undefined;
    if (typeof answer === "function") answer(request, response);
    else if (answer === undefined) response.writeHead(404).end("Not here");
    else
      response
        .writeHead(200, typeof answer === "string" ? { "content-type": "text/html; charset=utf-8" } : {})
        .end(answer);
  });
  server.on("connection", () => {
    connections += 1;
  });
  server.listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("a site without a port");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return {
    port: address.port,
    requests,
    connections: () => connections,
    at: (path, name = "coffee.test") => new URL(path, `http://${name}:${address.port}`),
  };
}

/** A redirect. */
export function redirectTo(location: string | URL, status = 302): Listener {
  return (_request, response) => {
    response.writeHead(status, { location: location.toString() }).end("See there");
  };
}
