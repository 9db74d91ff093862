import type { Server } from "node:http";
import { BlockList, isIPv6, Socket } from "node:net";
import { type AddressKey, addressKey, NETWORKS_OF_A_SITE, siteOf } from "./address-key.ts";

/** Connections of one network: an IPv4 address, or a /64 of IPv6. */
const MOST_CONNECTIONS = 256;

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8, "ipv4");
LOOPBACK.addAddress("::1", "ipv6");

/** Whether the address is this machine's own. */
export function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/**
 * Resets the oldest connection of a network that opens one more than `most`, or of a site with ten times as many: it has most likely
 * nothing to do. An answer that the kernel has taken whole looks to us as if it were read, so what the kernel holds is bounded by
 * the number of connections alone. Those that `isExempt` names may have any number.
 */
export function boundConnections(
  server: Server,
  isExempt: (address: string) => boolean,
  most = MOST_CONNECTIONS,
): void {
  const open = new Map<AddressKey, Set<Socket>>();

  function admit(key: AddressKey, socket: Socket, mostOfKey: number): void {
    const ofKey = open.get(key) ?? new Set();
    open.set(key, ofKey.add(socket));
    socket.once("close", () => {
      ofKey.delete(socket);
      if (ofKey.size === 0 && open.get(key) === ofKey) open.delete(key);
    });
    const [oldest] = ofKey;
    if (ofKey.size <= mostOfKey || oldest === undefined) return;
    ofKey.delete(oldest);
    resetConnection(oldest);
  }

  server.on("connection", (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || isExempt(remoteAddress)) return;
    const network = addressKey(remoteAddress);
    const site = siteOf(network);
    admit(network, socket, most);
    if (site !== null) admit(site, socket, most * NETWORKS_OF_A_SITE);
  });
}

/** Closes a connection together with what the kernel has still to send on it, which it would keep for minutes. */
export function resetConnection(connection: Socket): void {
  const socket = tcpSocketOf(connection);
  // A connection that is already closing cannot be reset.
  if (socket.writableEnded) socket.destroy();
  else socket.resetAndDestroy();
}

/** Under TLS the socket below, which Node names in an undocumented field: only a socket of TCP can be reset, another throws. */
function tcpSocketOf(socket: Socket): Socket {
  const below: unknown = Reflect.get(socket, "_parent");
  return below instanceof Socket ? below : socket;
}
