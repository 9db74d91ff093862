import { inPieces } from "#libs/async/index.ts";
import { type AddressWords, readAddress } from "#libs/http/index.ts";

/** All addresses that begin with the first `prefix` bits of `words`. */
export interface Network {
  readonly words: AddressWords;
  readonly prefix: number;
}

/** Networks in a list at most. */
export const MAX_NETWORKS = 100_000;
/** Lines that are read in one go, some milliseconds: requests are answered in between. */
const LINES_IN_A_ROW = 2_000;
const COMMENT = /[#;].*$/s;
const LONGEST_SHOWN = 60;

/** The list is not one of networks. The message names the line, and fits behind "cannot be used: ". */
export class NetworkListError extends Error {
  override readonly name = "NetworkListError";
}

/**
 * Reads a list of networks: one per line, as an address or in CIDR notation, IPv4 or IPv6. `#` and `;` begin a comment, blank
 * lines are ignored, and so are bits of the address beyond the prefix. Rejects with `NetworkListError`.
 */
export async function readNetworks(text: string): Promise<Network[]> {
  const networks: Network[] = [];
  let number = 0;
  for await (const piece of inPieces(text.split("\n"), LINES_IN_A_ROW)) {
    for (const line of piece) {
      number += 1;
      const entry = line.replace(COMMENT, "").trim();
      if (entry === "") continue;
      if (networks.length === MAX_NETWORKS)
        throw new NetworkListError(`it has more than ${MAX_NETWORKS} networks`);
      networks.push(readNetwork(entry, number));
    }
  }
  return networks;
}

function readNetwork(entry: string, line: number): Network {
  const [address = "", bits, ...more] = entry.split("/");
  const words = address.includes("%") ? null : readAddress(address);
  const isWritten = bits === undefined || /^\d{1,3}$/.test(bits);
  if (words === null || !isWritten || more.length > 0) throw refusal(line, "is no network", entry);
  const longest = words.length * 32;
  // Inside IPv6 (`::ffff:192.0.2.0/120`) the prefix counts the bits before the IPv4 address, too.
  const before = longest === 32 && address.includes(":") ? 96 : 0;
  const prefix = bits === undefined ? longest : Number(bits) - before;
  if (prefix > longest || prefix < 0) throw refusal(line, "has a prefix that no network has", entry);
  if (prefix === 0) throw refusal(line, "would block every address", entry);
  return { words, prefix };
}

function refusal(line: number, problem: string, entry: string): NetworkListError {
  return new NetworkListError(`line ${line} ${problem}: ${JSON.stringify(entry.slice(0, LONGEST_SHOWN))}`);
}
