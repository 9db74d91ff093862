import { once } from "node:events";
import { connect, createServer } from "node:net";

const HOST = "127.0.0.1";

/** A port of the loopback that nobody listens on now; somebody else may have taken it a moment later. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("There is no port.");
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
