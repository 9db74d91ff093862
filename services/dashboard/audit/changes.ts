import type { AuditEntry } from "#libs/contract/audit.ts";
import { INTERVALS } from "#libs/domain/period.ts";
import { formatCount, formatMoment, priceWords } from "../components/format.ts";

/** One changed value. Null if it did not exist before, or does not after. */
export interface ChangedValue {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Values = Readonly<Record<string, unknown>>;

const LABELS: Readonly<Record<string, string>> = {
  adAlert: "Email when an ad has no views or much invalid traffic",
  alertHours: "Hours of alerts",
  alertInvalidPercent: "Invalid traffic of alerts in percent",
  adWaiting: "Email when an ad waits for review",
  audiencePublic: "Public stats",
  chargeAt: "Charge advertisers at",
  clicksPerMinute: "Clicks per minute",
  contactEmail: "Contact email",
  default: "Default value",
  impressionsPerMinute: "Impressions per minute",
  isActive: "On sale",
  isPublisherOnly: "Publisher only",
  isRequired: "Required",
  max: "Maximum",
  maxLength: "Maximum length",
  min: "Minimum",
  monthlyReports: "Reports to advertisers",
  pageAudience: "Audience on the advertising page",
  pageDescription: "Description on the advertising page",
  pageLogo: "Logo on the advertising page",
  pageQuestions: "Questions and answers on the advertising page",
  pageTopics: "Topics on the advertising page",
  paymentFailed: "Email when a payment fails",
  purchase: "Email when a placement is bought",
  countVisitors: "Count visitors",
  advertiserSplits: "Splits for advertisers",
  recordPages: "Record pages and referrers",
  rejectionNote: "Note",
  renewalGraceDays: "Grace period in days",
  reportEmails: "Reports by email",
  requireProof: "Count only proven events",
  tierId: "Tier",
  tierPriceId: "Price",
  subscriptionCanceled: "Email when a subscription is canceled",
  timeZone: "Time zone of reports",
  utmCampaign: "utm_campaign",
  utmMedium: "utm_medium",
  utmSource: "utm_source",
  websiteUrl: "Website",
};
/** Values that the sentence has already, or that nobody reads. */
const HIDDEN: ReadonlySet<string> = new Set([
  "id",
  "workspaceId",
  "createdAt",
  "updatedAt",
  "meta",
  "fields",
  // Its currency is elsewhere.
  "paidAmount",
]);
const LONGEST_VALUE = 300;
const NOTHING = "nothing";
const NONE = "none";

/** The changed values of an entry, with the labels of the pages and with names instead of ids. */
export function changedValues({ before, after }: AuditEntry, names: ResourceNames): ChangedValue[] {
  const [old, now] = [withPrice(before), withPrice(after)];
  const keys = new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})]);
  return [...keys]
    .filter((key) => !HIDDEN.has(key))
    .map((key) => ({
      label: labelOf(key),
      before: valueText(old, key, names),
      after: valueText(now, key, names),
    }))
    .filter((value) => value.before !== value.after && !(isNothing(value.before) && isNothing(value.after)));
}

/** Shows amount, currency and period of a price as one value. */
function withPrice(values: Values | null): Values | null {
  const price = values === null ? null : priceText(values);
  if (price === null) return values;
  const {
    amount: _amount,
    currency: _currency,
    interval: _interval,
    intervalCount: _count,
    ...rest
  } = { ...values };
  return { price, ...rest };
}

function labelOf(key: string): string {
  const words = key.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return LABELS[key] ?? words.charAt(0).toUpperCase() + words.slice(1);
}

function valueText(values: Values | null, key: string, names: ResourceNames): string | null {
  if (values === null || !Object.hasOwn(values, key)) return null;
  const value = values[key];
  return cut((typeof value === "string" ? names.get(value) : undefined) ?? toText(value));
}

function toText(value: unknown): string {
  if (value === null || value === undefined || value === "") return NOTHING;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") return Number.isInteger(value) ? formatCount(value) : String(value);
  if (typeof value === "string")
    return /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? formatMoment(value) : value;
  if (Array.isArray(value)) return value.length === 0 ? NONE : value.map(toText).join(", ");
  if (!isValues(value)) return "";
  if (typeof value.label === "string") return value.label;
  return priceText(value) ?? JSON.stringify(value);
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null;
}

function isNothing(text: string | null): boolean {
  return text === null || text === NOTHING || text === NONE;
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).toWellFormed()}…` : text;
}

/** The price in the values of an entry, `$49/month`; null if they have none. */
export function priceText(values: Readonly<Record<string, unknown>>): string | null {
  const { amount, currency, intervalCount } = values;
  const interval = INTERVALS.find((one) => one === values.interval);
  if (typeof amount !== "number" || typeof currency !== "string") return null;
  if (interval === undefined || typeof intervalCount !== "number") return null;
  return priceWords({ amount, currency, interval, intervalCount });
}

/** The current names of resources by id, as far as they are known. */
export type ResourceNames = ReadonlyMap<string, string>;
