import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, request as send } from "node:http";
import { listenOnLoopback } from "#libs/process/ports.ts";

/** A request to the processor, as it went over the wire. */
export interface RecordedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** What it was answered with. */
  readonly status: number;
}

/** A way to a server that speaks Stripe's API. */
export interface RecordedWay {
  readonly host: string;
  readonly port: number;
  readonly protocol: "http";
  close(): Promise<void>;
}

export interface RecordedWayOptions {
  /** Called with every request, once it is answered. */
  readonly onRequest?: (request: RecordedRequest) => void;
  /** Whether the answer to a request shall never arrive, while what it asks for is done. */
  readonly isLost?: (request: RecordedRequest) => boolean;
}

/** The request headers that Stripe reads. */
const KEPT = ["authorization", "content-type", "idempotency-key", "stripe-account", "stripe-version"];

/** Opens a way to the server. */
export async function openRecordedWay(
  apiUrl: string,
  { onRequest, isLost }: RecordedWayOptions,
): Promise<RecordedWay> {
  const server = createServer(async (request, response) => {
    const { method = "", url: path = "", headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    const onward = send(new URL(apiUrl), { method, path, headers }, (answer) => {
      const status = answer.statusCode ?? 502;
      const recorded = { method, path, headers: keptOf(headers), body, status };
      onRequest?.(recorded);
      if (isLost?.(recorded) === true) {
        answer.resume().on("end", () => response.destroy());
      } else {
        response.writeHead(status, answer.headers);
        answer.pipe(response);
      }
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  const port = await listenOnLoopback(server);
  return {
    host: "127.0.0.1",
    port,
    protocol: "http",
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function keptOf(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = KEPT.map((name) => [name, headers[name]] as const);
  return Object.fromEntries(
    kept.flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
}
