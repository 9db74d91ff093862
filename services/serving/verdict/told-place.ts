import type { IncomingMessage } from "node:http";
import { unescape as unescapeLeniently } from "node:querystring";
import { type EventPlace, PLACE_LENGTHS } from "#libs/domain/event-place.ts";
import { copyText } from "./copy-text.ts";

/** What a request says of where its event happened, made safe to store. Its names are not bounded yet (`record/known-names.ts`). */
export type ToldPlace = Pick<EventPlace, "placement" | "path" | "referrer" | "country">;
export const NOTHING_TOLD: ToldPlace = { placement: "", path: "", referrer: "", country: "" };

/** The texts of a request as they were sent; `page` and `referrer` are addresses, or a path and a host alone. */
export interface SentPlace {
  readonly placement?: string | undefined;
  readonly page?: string | undefined;
  readonly referrer?: string | undefined;
}

/** What is read of an address, and of one value: whatever is sent, cleaning it costs some microseconds. */
const LONGEST_ADDRESS = 6_000;
const LONGEST_VALUE = 2_000;
const PARAMETERS = {
  placement: /[?&]placement=([^&#]*)/,
  page: /[?&]page=([^&#]*)/,
  referrer: /[?&]referrer=([^&#]*)/,
} as const;
const ESCAPED = /[%+]/;
/** Characters that are not seen or change the direction of text, and those that are none. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\uFFFD]/gu;
const HAS_HIDDEN = /[^\x20-\x7e]/;
const ADDRESS = /^(?:https?:\/\/([^/?#]*))?(\/[^?#]*)?/i;
/** `;jsessionid=…` and the like: some servers keep a visitor's session there. */
const PATH_PARAMETERS = /;[^/]*/g;
const HOST = /^(?:https?:\/\/)?([a-z\d.-]+|\[[a-f\d:.]+\])(?::\d+)?(?:[/?#]|$)/;
const COUNTRY = /^[A-Z]{2}$/;
/** What proxies say for a country that they do not know. */
const NO_COUNTRY = "XX";

/**
 * The places of recent requests, by query and `Referer` header: the visitors of a page say the same. Cleared when full, as reading one again
 * takes 3 µs; some megabytes at most.
 */
const places = new Map<string, ToldPlace>();
const MOST_PLACES = 2_000;
const LONGEST_KEY = 600;

/**
 * Where the events of a visitor's request happened: from its parameters, or from `sent` where a body has them. Without a page it is the
 * one of the `Referer` header, of which browsers tell other sites only the origin, so that a bare `/` says nothing.
 */
export function placeOfRequest(
  { url = "", headers }: Pick<IncomingMessage, "url" | "headers">,
  country: string,
  sent?: SentPlace,
): ToldPlace {
  const { referer = "" } = headers;
  const query = queryOf(url.slice(0, LONGEST_ADDRESS));
  if (sent !== undefined) return { ...readPlace(query, referer, sent), country };
  const key = `${query}\n${referer}`;
  const known = places.get(key);
  if (known !== undefined) return country === "" ? known : { ...known, country };
  if (key.length > LONGEST_KEY) return { ...readPlace(query, referer, {}), country };
  const kept = copyText(key);
  const place = readPlace(kept.slice(0, query.length), kept.slice(query.length + 1), {});
  if (places.size >= MOST_PLACES) places.clear();
  places.set(kept, place);
  return { ...place, country };
}

/** An address from its `?`, without the proof, which the embed puts at the end. */
function queryOf(address: string): string {
  const start = address.indexOf("?");
  if (start < 0) return "";
  const proof = address.indexOf("&proof=", start);
  return proof > 0 && address.indexOf("&", proof + 1) < 0
    ? address.slice(start, proof)
    : address.slice(start);
}

function readPlace(query: string, referer: string, sent: SentPlace): ToldPlace {
  const page = sent.page ?? parameterOf(query, "page");
  const own = partsOf(page || referer);
  const referrer = hostOf(sent.referrer ?? parameterOf(query, "referrer"));
  return {
    placement: placementOf(sent.placement ?? parameterOf(query, "placement")),
    path: page === "" && own.path === "/" ? "" : own.path,
    referrer: referrer === own.host ? "" : referrer,
    country: "",
  };
}

/** Where an event happened that a server reports. */
export function placeOfReport({
  placement = "",
  path = "",
  country = "",
}: {
  readonly placement?: string | undefined;
  readonly path?: string | undefined;
  readonly country?: string | undefined;
}): ToldPlace {
  return {
    placement: placementOf(placement),
    path: partsOf(path).path,
    referrer: "",
    country: countryOf(country),
  };
}

/** Two upper-case letters, or "". */
export function countryOf(given: string | readonly string[] | undefined): string {
  if (typeof given !== "string" || given.length !== 2) return "";
  const country = given.toUpperCase();
  return COUNTRY.test(country) && country !== NO_COUNTRY ? country : "";
}

function parameterOf(address: string, name: keyof typeof PARAMETERS): string {
  const value = (PARAMETERS[name].exec(address)?.[1] ?? "").slice(0, LONGEST_VALUE);
  return ESCAPED.test(value) ? unescapeLeniently(value.replaceAll("+", " ")) : value;
}

function placementOf(given: string): string {
  return cleaned(given, PLACE_LENGTHS.placement);
}

/** Host and path of a page's address, or of a path alone; neither of anything else, such as a file's address. */
function partsOf(page: string): { readonly host: string; readonly path: string } {
  const [, authority = "", path = authority === "" ? "" : "/"] =
    ADDRESS.exec(page.slice(0, LONGEST_VALUE)) ?? [];
  return {
    host: hostOf(authority),
    path: path === "" ? "" : cleaned(readable(path.replace(PATH_PARAMETERS, "")), PLACE_LENGTHS.path),
  };
}

/** As people read it: letters of any script instead of their bytes. */
function readable(path: string): string {
  if (!path.includes("%")) return path;
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

function hostOf(given: string): string {
  if (given === "") return "";
  const host = HOST.exec(given.slice(0, LONGEST_VALUE).toLowerCase())?.[1] ?? "";
  return host.length > PLACE_LENGTHS.referrer ? "" : host;
}

/** Without hidden characters, and cut to the most characters. */
function cleaned(given: string, most: number): string {
  const cut = given.length > LONGEST_VALUE ? given.slice(0, LONGEST_VALUE) : given;
  const seen = HAS_HIDDEN.test(cut) ? cut.toWellFormed().replace(HIDDEN, "") : cut;
  const text = seen.trim();
  return text.length <= most ? text : [...text].slice(0, most).join("").trimEnd();
}
