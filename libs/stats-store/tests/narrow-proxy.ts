import { once } from "node:events";
import { createServer, request } from "node:http";
import { pipeline } from "node:stream/promises";
import { listenOnLoopback } from "#libs/process/ports.ts";

/** What many proxies take of an address and of headers together, in bytes. */
const LONGEST_HEAD = 8 * 1024;

/** A proxy in front of a server of the loopback that refuses long addresses, as most do. */
export interface NarrowProxy {
  readonly url: string;
  close(): Promise<void>;
}

export async function openNarrowProxy(target: string): Promise<NarrowProxy> {
  const server = createServer({ maxHeaderSize: LONGEST_HEAD }, (incoming, outgoing) => {
    const { method, headers } = incoming;
    const onward = request(new URL(incoming.url ?? "/", target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, outgoing).catch(() => outgoing.destroy());
    });
    pipeline(incoming, onward).catch(() => outgoing.destroy());
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
