/**
 * The devices that reports tell apart. `unknown`: nothing said what device it was, or a release that did not record it logged the event.
 * Rows that such a release has inserted have "" instead.
 */
export const DEVICES = ["desktop", "phone", "tablet", "other", "unknown"] as const;
export type Device = (typeof DEVICES)[number];

/** Where an event happened, as far as its request told. "" means not known. */
export interface EventPlace {
  /** The publisher's own name for the spot on the page. */
  readonly placement: string;
  /** The path of the page, without query and fragment. */
  readonly path: string;
  /** The host of the site that led to the page. */
  readonly referrer: string;
  /** Two upper-case letters (ISO 3166-1). */
  readonly country: string;
  readonly device: Device;
  /** The family of the browser, such as `Firefox`. */
  readonly browser: string;
}

/** The columns of a place, in the order of rows and of lines of the log. */
export const PLACE_COLUMNS = [
  "placement",
  "path",
  "referrer",
  "country",
  "device",
  "browser",
] as const satisfies readonly (keyof EventPlace)[];

/** The most characters (code points) of each text. */
export const PLACE_LENGTHS = {
  placement: 60,
  path: 200,
  referrer: 100,
  country: 2,
  device: 16,
  browser: 40,
} as const satisfies Record<keyof EventPlace, number>;

/** An event of which nothing is known. */
export const NO_PLACE: EventPlace = {
  placement: "",
  path: "",
  referrer: "",
  country: "",
  device: "unknown",
  browser: "",
};

/** The name of "" in reports. */
export const NOT_KNOWN = "(not known)";
/** Stands for the values beyond a bound, where they are recorded and where they are reported. */
export const OTHER_VALUE = "(other)";

/** Needs no escape: ASCII without control characters, quotes and backslashes. */
const PLAIN = /^[ !#-[\]-~]*$/;
const NOT_PLAIN = /[^ !#-[\]-~]/g;
const CONTROLS = /\p{Cc}/gu;

/**
 * A place as six JSON texts, separated by commas. It is ASCII, so that a line of the log is the same in latin1 and UTF-8, and has no
 * quotes within the texts, so that a text ends at the next one. Without control characters: reports take it that no value has any.
 */
export function encodePlace({ placement, path, referrer, country, device, browser }: EventPlace): string {
  return `"${toAscii(placement)}","${toAscii(path)}","${toAscii(referrer)}","${toAscii(country)}","${device}","${toAscii(browser)}"`;
}

function toAscii(text: string): string {
  if (PLAIN.test(text)) return text;
  // A lone surrogate would be refused by the stats store, and the whole range with it.
  return text.toWellFormed().replace(CONTROLS, "").replace(NOT_PLAIN, escapeUnit);
}

/** Without the flag `u` a match is one code unit. */
function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
