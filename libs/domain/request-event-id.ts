const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
/** All pairs of digits: ten bits per lookup. */
const PAIRS = Array.from({ length: 1024 }, (_, bits) => `${ALPHABET[bits >> 5]}${ALPHABET[bits & 31]}`);
const INDEX_LIMIT = 2 ** 20;
/** `evt_` and 22 digits: the same in all ids of a request. */
const REQUEST_LENGTH = 26;
/** The first digit, which no id that is made of a time has before the year 8600: UUIDs of version 7 start with 0. */
const TIMED = "6";
const UNTIMED = "7";
const OF_REQUEST = /^evt_[67][0-9a-z]{25}$/;

/** The ids of the events of one request. An index is below 2^20. */
export interface RequestEventIds {
  /** What all of them begin with: names the request. */
  readonly request: string;
  /** The id of the event at `index`. */
  readonly idOf: (index: number) => string;
}

/**
 * The ids of a request that may be sent again: the same each time, in whichever process. `digest` has at least 14 bytes of a hash
 * of everything that identifies the request; `isTimed` says whether each of its events brings its own time, which makes them
 * easy to find. The 26 digits of an id are:
 *
 *      1 digit    6 for a timed request, 7 for another
 *     21 digits   105 bits of the digest
 *      4 digits   the index, 20 bits
 *
 * They do not sort by time.
 */
export function requestEventIds(digest: Buffer, isTimed: boolean): RequestEventIds {
  let bits = BigInt(`0x${digest.toString("hex", 0, 14)}`);
  let text = "";
  for (let digit = 0; digit < 21; digit += 1, bits >>= 5n) text = `${ALPHABET[Number(bits & 31n)]}${text}`;
  const request = `evt_${isTimed ? TIMED : UNTIMED}${text}`;
  const idOf = (index: number) => {
    if (index >= INDEX_LIMIT) throw new RangeError(`a request has no event ${index}`);
    return `${request}${PAIRS[index >> 10]}${PAIRS[index & 1023]}`;
  };
  return { request, idOf };
}

/** The request that reported an event, by the id of the event; null for an event that was reported alone. */
export function requestOfEventId(id: string): { readonly request: string; readonly isTimed: boolean } | null {
  if (!OF_REQUEST.test(id)) return null;
  return { request: id.slice(0, REQUEST_LENGTH), isTimed: id.startsWith(TIMED, "evt_".length) };
}
