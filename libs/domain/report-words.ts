import { type EventSource, perVerdict } from "./event.ts";
import { type Device, NOT_KNOWN, OTHER_VALUE } from "./event-place.ts";
import { isNamed, type ReportDimension } from "./report-dimensions.ts";

/** What the dimensions of reports are called where people read them. */
export const DIMENSION_WORDS: Readonly<Record<ReportDimension, string>> = {
  ad: "Ad",
  advertiser: "Advertiser",
  tier: "Tier",
  verdict: "Result",
  source: "Source",
  placement: "Placement",
  path: "Page",
  referrer: "Referrer",
  country: "Country",
  device: "Device",
  browser: "Browser",
};

const VERDICT_WORDS: Readonly<Record<string, string>> = perVerdict(({ title }) => title);
const SOURCE_WORDS: Readonly<Record<EventSource, string>> = {
  page: "Pages",
  link: "Links without script",
  server: "Your server",
  unknown: "Not known",
};

const DEVICE_WORDS: Readonly<Record<Device, string>> = {
  desktop: "Desktop",
  phone: "Phone",
  tablet: "Tablet",
  other: "Other",
  unknown: "Not known",
};
const LISTED_WORDS: Partial<Readonly<Record<ReportDimension, Readonly<Record<string, string>>>>> = {
  verdict: VERDICT_WORDS,
  source: SOURCE_WORDS,
  device: DEVICE_WORDS,
};
const COUNTRY = /^[A-Z]{2}$/;
const countries = new Intl.DisplayNames("en", { type: "region" });

/** The words of a value that has no name in Postgres. */
export function valueWords(dimension: ReportDimension, value: string): string {
  if (isNamed(dimension)) return value;
  if (value === NOT_KNOWN) return "Not known";
  if (value === OTHER_VALUE) return "All others";
  if (dimension === "country" && COUNTRY.test(value)) return countries.of(value) ?? value;
  return LISTED_WORDS[dimension]?.[value] ?? value;
}
