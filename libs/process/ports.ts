import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

const HOST = "127.0.0.1";

/**
 * A free loopback port that the system assigns to no other socket for the next 60 s; it can only be requested by number.
 * A connection that the server closed first stays in TIME_WAIT, and the system skips such a port. The method is that of
 * https://github.com/Yelp/ephemeral-port-reserve.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  const client = connect(port, HOST);
  const [[accepted]] = await Promise.all([once(server, "connection"), once(client, "connect")]);
  // TIME_WAIT stays with the side that closes first, so the client closes second.
  accepted.end();
  client.resume();
  await once(client, "close");
  server.close();
  await once(server, "close");
  return port;
}

/** Listens on a loopback port that the system chooses, and returns its number. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** Whether a server listens on the loopback port. */
export async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, HOST);
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
