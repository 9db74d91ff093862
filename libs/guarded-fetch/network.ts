import { Resolver } from "node:dns/promises";
import { isPublicAddress } from "./public-address.ts";

/** Why an address was not fetched. */
export class FetchError extends Error {
  override readonly name = "FetchError";
  /** Whether the same request may succeed at another time. */
  readonly canRetry: boolean;

  constructor(message: string, canRetry: boolean, options?: ErrorOptions) {
    super(message, options);
    this.canRetry = canRetry;
  }
}

/** Where the fetcher may connect to, and how it learns addresses. */
export interface Network {
  /** Every address of a host name, at least one. Throws `FetchError`. */
  resolve(host: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether a connection to this address and port may be made. */
  allows(address: string, port: number): boolean;
}

const WEB_PORTS: readonly number[] = [80, 443];

/** The last part of names that mean something on one machine or network only, or nothing at all (RFC 6761 and others). */
const PRIVATE_NAMES =
  /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|arpa|onion|alt|test|example|invalid)$/;

/** How long the first attempt at a name server waits; each further one waits twice as long. */
const ATTEMPT_MS = 1_000;
const ATTEMPTS = 2;

/** The public internet, on the ports of the web. */
export const publicInternet: Network = {
  allows: (address, port) => WEB_PORTS.includes(port) && isPublicAddress(address),

  /** Asks name servers only: a machine's own hosts file says nothing about the public internet. */
  async resolve(host, signal) {
    const name = host.replace(/\.$/, "");
    if (!name.includes(".") || PRIVATE_NAMES.test(name)) {
      throw new FetchError(`${host} is no name of the public internet`, false);
    }
    const resolver = new Resolver({ timeout: ATTEMPT_MS, tries: ATTEMPTS });
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      // The dot keeps the machine's search domains out of it.
      const answers = await Promise.allSettled([
        resolver.resolve4(`${name}.`),
        resolver.resolve6(`${name}.`),
      ]);
      const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
      if (addresses.length === 0) throw new FetchError(`${host} has no address`, true);
      return addresses;
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  },
};
