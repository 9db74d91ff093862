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

/** A handshake, with its certificates of some kilobytes, and a record that has not come whole take less. */
const HANDSHAKE_BYTES = 40 * 1024;
/** Bytes that are allowed for each that is carried, beyond it: a record of 100 bytes has 22 more. */
const MOST_PER_BYTE = 0.25;

/** Without those whose numbers the site chooses: one of 10,000 bits takes half a second in one go. */
const CIPHERS = `${DEFAULT_CIPHERS}:!kDHE`;

/** Whether much more came than was carried. */
export function isPadded(received: number, carried: number): boolean {
  return received - carried > HANDSHAKE_BYTES + MOST_PER_BYTE * carried;
}

/**
 * A TLS connection that ends with a `FetchError` once the site sends TLS that carries nothing: OpenSSL handles session tickets, key updates
 * and tiny records by itself, half a second a megabyte. So every byte passes here, where it is counted, before OpenSSL gets it.
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
    // What OpenSSL has had, but for the last record.
    const received = below.bytesRead - chunk.length - counted.readableLength;
    if (isPadded(received, secure.bytesRead))
      secure.destroy(new FetchError(`${host} sends TLS that carries nothing`, true));
    else if (!counted.push(chunk)) below.pause();
  });
  below.once("end", () => counted.push(null));
  below.once("error", (error) => counted.destroy(error));
  below.once("close", () => counted.destroy());
  return secure;
}
