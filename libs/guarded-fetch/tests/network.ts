import type { Network } from "../network.ts";
import { isPublicAddress } from "../public-address.ts";

/**
 * The public internet as far as it is on this machine: every name leads to `addresses`, by default 127.0.0.1, and the
 * ports of these sites are open there. Everything else is judged as in production, but on any port.
 */
export function networkOf(
  sites: readonly { readonly port: number }[],
  addresses: (host: string) => readonly string[] = () => ["127.0.0.1"],
): Network {
  return {
    resolve: async (host) => addresses(host),
    allows: (address, port) =>
      (address === "127.0.0.1" && sites.some((site) => site.port === port)) || isPublicAddress(address),
  };
}
