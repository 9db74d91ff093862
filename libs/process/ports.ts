import { once } from "node:events";
import { connect, createServer, type Server } from "node:net";

const HOST = "127.0.0.1";

/**
 * A port of the loopback that nobody has, and that the system gives to nobody for the next 60 s: neither to whoever lets
 * it choose one to listen on, nor to a connection that goes out, nor to the next call of this, in any process. Whoever asks
 * for the port by its number gets it.
 *
 * A connection through the port, ended by its server, rests in TIME_WAIT, and the system passes over a port in which one
 * does. As Yelp's ephemeral-port-reserve does it: https://github.com/Yelp/ephemeral-port-reserve
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  const client = connect(port, HOST);
  const [[accepted]] = await Promise.all([once(server, "connection"), once(client, "connect")]);
  // The side that ends first is the one that rests, so the client ends only in answer to it.
  accepted.end();
  client.resume();
  await once(client, "close");
  server.close();
  await once(server, "close");
  return port;
}

/** Lets the server listen on a port of the loopback that the system chooses, and gives its number. */
export async function listenOnLoopback(server: Server): Promise<number> {
  server.listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

/** Whether anybody listens on the port of the loopback. */
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
