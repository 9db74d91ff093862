import { connect as connectTcp, isIP, type LookupFunction } from "node:net";
import { Duplex } from "node:stream";
import { connect as connectTls, DEFAULT_CIPHERS, type TLSSocket } from "node:tls";
import { FetchError } from "./network.ts";

export interface Destination {
  readonly host: string;
  readonly port: number;
  readonly lookup: LookupFunction;
  /** The authority that signed the site's certificate. Default: those that Node knows. */
  readonly ca?: string | Buffer;
}

/** More than a handshake with its certificates and an incomplete record take. */
const HANDSHAKE_BYTES = 40 * 1024;
/** Overhead allowed per byte of content, beyond the handshake. A record of 100 bytes has 22. */
const MOST_PER_BYTE = 0.25;

/** Without finite-field Diffie-Hellman: the site chooses the group, and one of 10,000 bits blocks for half a second. */
const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;

/** Whether what was received has more overhead than honest sites need. */
export function isPadded(received: number, carried: number): boolean {
  return received - carried > HANDSHAKE_BYTES + MOST_PER_BYTE * carried;
}

/**
 * A TLS connection that ends with a `FetchError` once the site sends too much besides content: OpenSSL handles session tickets, key
 * updates and tiny records by itself, half a second a megabyte. So every byte is counted here before OpenSSL gets it.
 */
export function connectSecurely({ host, port, lookup, ca }: Destination): TLSSocket {
  const below = connectTcp({ host, port, lookup });
  const counted = new Duplex({
    read: () => void below.resume(),
    write: (chunk, _encoding, done) => void below.write(chunk, done),
    final: (done) => void below.end(done),
    destroy(error, done) {
      below.destroy();
      done(error);
    },
  });
  const named = isIP(host) === 0 ? { servername: host } : {};
  const secure = connectTls({
    socket: counted,
    ciphers: CIPHERS,
    ...named,
    ...(ca === undefined ? {} : { ca }),
  });
  below.on("data", (chunk) => {
    // What OpenSSL has been given so far.
    const received = below.bytesRead - chunk.length - counted.readableLength;
    if (isPadded(received, secure.bytesRead))
      secure.destroy(new FetchError(`${host} sends too much TLS overhead`, true));
    else if (!counted.push(chunk)) below.pause();
  });
  below.once("end", () => counted.push(null));
  below.once("error", (error) => counted.destroy(error));
  below.once("close", () => counted.destroy());
  return secure;
}
