import { Reader, type Response } from "maxmind";
import { type AddressWords, readAddress } from "#libs/http/index.ts";
import { countryOf } from "../verdict/told-place.ts";
import { networksOf } from "./networks-of.ts";

/** Knows the countries of addresses. */
export interface Countries {
  /** Two upper-case letters, or "" where it is not known. Takes an address in any spelling, and any other text. */
  of(address: string): string;
}

/** An installation without a file has these. */
export const NO_COUNTRIES: Countries = { of: () => "" };

/** The format has it at the very end: https://maxmind.github.io/MaxMind-DB/#metadata-section */
const METADATA_BEGINS = Buffer.from("\xab\xcd\xefMaxMind.com", "latin1");
const LARGEST_METADATA = 128 * 1024;
const GZIP = Buffer.from([0x1f, 0x8b]);
/** Zeros between the tree of networks and their records. */
const SEPARATOR_BYTES = 16;
/** Networks that are looked at for a country. Nearly every network of such a file has one. */
const MOST_TRIED = 2_000;
const LONGEST_SHOWN = 60;
/**
 * Parts of records that are kept decoded, emptied when full: decoding a country takes 20 µs, a kept one 2 µs. A file of countries
 * has a few hundred; one of cities fills it, which takes a megabyte.
 */
const MOST_DECODED = 5_000;

/**
 * Reads a file in MaxMind's format. The bytes stay in memory as they are. Throws for a file that is cut off or of another kind,
 * with a message that fits behind "cannot be used: ".
 */
export function readCountries(bytes: Buffer): Countries {
  const reader = openReader(bytes);
  const countries = createCountries(reader);
  if (undamaged(() => hasCountry(reader, countries))) return countries;
  const type = JSON.stringify(String(reader.metadata.databaseType).slice(0, LONGEST_SHOWN));
  throw new Error(`it has no countries: its type is ${type}`);
}

function hasCountry(reader: Reader<Response>, countries: Countries): boolean {
  for (const address of networksOf(reader, MOST_TRIED)) if (countries.of(address) !== "") return true;
  return false;
}

function openReader(bytes: Buffer): Reader<Response> {
  if (bytes.subarray(0, GZIP.length).equals(GZIP)) throw new Error("it is compressed: unpack it first");
  const end = bytes.subarray(-LARGEST_METADATA);
  const found = end.lastIndexOf(METADATA_BEGINS);
  if (found === -1) throw new Error("it is no MaxMind DB file (.mmdb), or it is cut off");
  const reader = undamaged(() => new Reader<Response>(bytes, { cache: createCache() }));
  const { binaryFormatMajorVersion, searchTreeSize } = reader.metadata;
  if (binaryFormatMajorVersion !== 2)
    throw new Error(`its format has version ${binaryFormatMajorVersion}, not 2`);
  const records = searchTreeSize + SEPARATOR_BYTES;
  const isWhole =
    records <= bytes.length - end.length + found &&
    bytes.subarray(searchTreeSize, records).every((byte) => byte === 0);
  if (!isWhole) throw new Error("it is damaged");
  return reader;
}

/** The reader's own errors are about offsets and types. */
function undamaged<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw new Error(`it is damaged (${error instanceof Error ? error.message : String(error)})`, {
      cause: error,
    });
  }
}

function createCache() {
  const decoded = new Map<string | number, unknown>();
  return {
    get: (offset: string | number) => decoded.get(offset),
    set(offset: string | number, value: unknown) {
      if (decoded.size >= MOST_DECODED) decoded.clear();
      decoded.set(offset, value);
    },
  };
}

function createCountries(reader: Reader<Response>): Countries {
  const isOfIPv4 = reader.metadata.ipVersion === 4;
  return {
    of(address) {
      const words = readAddress(address);
      // The reader would look an address of IPv6 up by its first 32 bits.
      if (words === null || (isOfIPv4 && words.length > 1)) return "";
      try {
        return countryIn(reader.get(spell(words, address)));
      } catch {
        // A damaged record says nothing of its own networks, and must not cost an event.
        return "";
      }
    },
  };
}

/** IPv4 inside IPv6 is looked up as IPv4: not every file has it in both places. */
function spell([word = 0, ...more]: AddressWords, address: string): string {
  if (more.length > 0 || !address.includes(":")) return address;
  return [word >>> 24, (word >>> 16) & 255, (word >>> 8) & 255, word & 255].join(".");
}

/**
 * The country in a record: `country.iso_code` in files of MaxMind and DB-IP, `country_code` or `country` in those of IPinfo.
 * MaxMind's `registered_country` is where the network's owner is, not the visitor.
 */
function countryIn(record: unknown): string {
  if (!isMap(record)) return "";
  const { country, country_code: code } = record;
  return countryOf(textIn(isMap(country) ? country.iso_code : (code ?? country)));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

function textIn(value: unknown): string {
  return typeof value === "string" ? value : "";
}
