import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer, type TlsOptions } from "node:tls";
import { listenOnLoopback } from "#libs/process/ports.ts";

/** A proxy in front of a server of the loopback that can lose the server's next answer. */
export interface AnswerDroppingProxy {
  readonly url: string;
  /** The next bytes of an answer are thrown away, and the connection with them. Resolves when that has happened. */
  dropNextAnswer(): Promise<void>;
  close(): Promise<void>;
}

/** Opens one in front of `target`; with `tls` it ends TLS, as a server's own https port does. */
export async function openProxy(target: string, tls?: TlsOptions): Promise<AnswerDroppingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let drop: (() => void) | null = null;

  const accept = (client: Socket) => {
    const server = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
    }
    client.pipe(server);
    server.on("data", (bytes) => {
      if (drop === null) client.write(bytes);
      else {
        drop();
        drop = null;
        client.destroy();
      }
    });
  };
  const listener: Server = tls === undefined ? createServer(accept) : createTlsServer(tls, accept);
  const own = await listenOnLoopback(listener);

  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${own}`,
    dropNextAnswer: () =>
      new Promise((resolve) => {
        drop = resolve;
      }),
    async close() {
      for (const socket of sockets) socket.destroy();
      listener.close();
      await once(listener, "close");
    },
  };
}
