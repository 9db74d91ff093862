import type { AuditEntry } from "#libs/contract/audit.ts";
import type { AuditAction } from "#libs/domain/audit.ts";
import { formatMoney } from "../components/format.ts";
import { isAuditAction } from "./actions.ts";
import { priceText, type ResourceNames } from "./changes.ts";

/** An entry in plain words: Mara Lind | archived the tier | Gold. */
interface Sentence {
  readonly who: string;
  readonly did: string;
  readonly what: string | null;
  readonly more?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** The words for a resource before its name, and without one. */
const THINGS = {
  ad: ["the ad", "an ad"],
  apiKey: ["the API key", "an API key"],
  trackingKey: ["the tracking key", "a tracking key"],
  field: ["the field", "a field"],
  invitation: ["the invitation of", "an invitation"],
  price: ["the price", "a price"],
  tier: ["the tier", "a tier"],
  edit: ["the edit to the ad", "an edit to an ad"],
  member: ["", "a member"],
} as const;

type Describe = (entry: AuditEntry, name: string | null) => Omit<Sentence, "who">;

const SENTENCES: Readonly<Record<AuditAction, Describe>> = {
  "ad.approve": deed("approved", "ad"),
  "ad.pause": deed("paused", "ad"),
  "ad.reject": deed("rejected", "ad"),
  "ad.request-changes": deed("requested changes to", "ad"),
  "ad.resume": deed("resumed", "ad"),
  "ad.submit": ({ before }, name) => about(before === null ? "submitted" : "changed", "ad", name),
  "ad.update": deed("changed the internal values of", "ad"),
  "advertiser.erase": () => plain("erased the personal data of an advertiser"),
  "advertiser.subscribe": ({ after }) =>
    plain(`asked for a report each ${textOf(after, "reportEmails") ?? "month"}`),
  "advertiser.unsubscribe": () => plain("unsubscribed from the reports"),
  "api-key.create": deed("created", "apiKey"),
  "api-key.revoke": deed("revoked", "apiKey"),
  "correction.apply": deed("corrected the traffic of", "ad"),
  "correction.revoke": deed("revoked a correction of", "ad"),
  "connect.start": () => plain("started payment setup"),
  "connect.update": () => plain("changed the status of the payment account"),
  "field.create": deed("created", "field"),
  "field.delete": deed("deleted", "field"),
  "field.reorder": () => plain("reordered the fields"),
  "field.update": deed("changed", "field"),
  "invitation.create": ({ after }) => ({
    did: "invited",
    what: textOf(after, "email"),
    more: `as ${textOf(after, "role")?.toLowerCase() ?? "member"}`,
  }),
  "invitation.revoke": deed("revoked", "invitation"),
  "invoice.refund": ({ after }) => plain(`refunded ${refundText(after)}an invoice`),
  "member.join": ({ after }) => plain(`joined as ${textOf(after, "role")?.toLowerCase() ?? "member"}`),
  "member.leave": () => plain("left the workspace"),
  "member.remove": deed("removed", "member"),
  "member.restore": deed("restored", "member"),
  "member.suspend": deed("suspended", "member"),
  "member.update": ({ after }, name) => {
    const thing = isOnly(after, "reportEmails") ? "reports by email" : "role";
    return {
      did: name === null ? `changed a member’s ${thing}` : "changed",
      what: name === null ? null : `${name}’s ${thing}`,
      ...(thing === "role" ? { more: `to ${textOf(after, "role")?.toLowerCase() ?? "another one"}` } : {}),
    };
  },
  "price.archive": deed("archived", "price"),
  "price.create": deed("added", "price"),
  "price.unarchive": (_entry, name) => ({ ...about("put", "price", name), more: "back on sale" }),
  "revision.approve": deed("approved", "edit"),
  "revision.reject": deed("rejected", "edit"),
  "revision.request-changes": deed("requested changes to", "edit"),
  "revision.submit": deed("submitted", "edit"),
  "revision.withdraw": deed("withdrew", "edit"),
  "settings.update": () => plain("changed the settings"),
  "subscription.create": (entry) => ofSubscription("started", entry),
  "subscription.cancel": (entry) => ofSubscription("canceled", entry),
  "subscription.remind": (entry) => ofSubscription("sent the link again for", entry),
  "subscription.update": (entry) => {
    const status = textOf(entry.after, "status");
    const to = status === null ? "" : ` to ${toWords(status)}`;
    return ofSubscription(status === null ? "updated" : "changed", entry, to);
  },
  "tier.archive": deed("archived", "tier"),
  "tier.create": deed("created", "tier"),
  "tier.unarchive": (_entry, name) => ({ ...about("put", "tier", name), more: "back on sale" }),
  "tier.update": ({ after }, name) => about(isOnly(after, "order") ? "moved" : "changed", "tier", name),
  "tracking-key.create": deed("created", "trackingKey"),
  "tracking-key.revoke": deed("revoked", "trackingKey"),
  "workspace.create": (_entry, name) => ({ did: "created the workspace", what: name }),
  "workspace.restore": () => plain("restored the workspace"),
  "workspace.suspend": () => plain("suspended the workspace"),
  "workspace.update": () => plain("changed the workspace"),
};

/** Describes an entry as a sentence. An action that is new to this page is described by its own name. */
export function sentenceOf(entry: AuditEntry, names: ResourceNames): Sentence {
  const who = actorName(entry.actor);
  const name = nameOf(entry, names);
  if (isAuditAction(entry.action)) return { who, ...SENTENCES[entry.action](entry, name) };
  return { who, did: `made a change (${toWords(entry.action.replace(".", " "))})`, what: name };
}

function deed(verb: string, thing: keyof typeof THINGS): Describe {
  return (_entry, name) => about(verb, thing, name);
}

function about(verb: string, thing: keyof typeof THINGS, name: string | null): Omit<Sentence, "who"> {
  const [named, unnamed] = THINGS[thing];
  return { did: `${verb} ${name === null ? unnamed : named}`.trimEnd(), what: name };
}

/** `started the subscription of | Kiln & Co | for the ad "Fresh beans"`. */
function ofSubscription(verb: string, { subject }: AuditEntry, to = ""): Omit<Sentence, "who"> {
  if (subject === null) return plain(`${verb} a subscription${to}`);
  const ad = subject.ad === null ? "" : ` for the ad “${subject.ad.name}”`;
  return { did: `${verb} the subscription of`, what: subject.advertiser.name, more: `${ad}${to}`.trim() };
}

function plain(did: string): Omit<Sentence, "who"> {
  return { did, what: null };
}

function actorName({ kind, name }: AuditEntry["actor"]): string {
  if (kind === "key") return `API key "${name}"`;
  return name.trim() === "" ? "Someone" : name;
}

/** The name at the time, as the entry has it; else the current name. */
function nameOf({ resource, subject, before, after }: AuditEntry, names: ResourceNames): string | null {
  const values = { ...before, ...after };
  const own = textOf(values, "name") ?? textOf(values, "email") ?? priceText(values);
  const named = resource.kind === "advertiser" ? subject?.advertiser.name : subject?.ad?.name;
  return own ?? names.get(resource.id) ?? named ?? null;
}

/** `$9.00 of `; nothing where the entry has no amount any more. */
function refundText(values: Values | null): string {
  const { amount, currency } = values ?? {};
  return typeof amount === "number" && typeof currency === "string"
    ? `${formatMoney(amount, currency)} of `
    : "";
}

function textOf(values: Values | null, key: string): string | null {
  const value = values?.[key];
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

function isOnly(values: Values | null, key: string): boolean {
  const keys = Object.keys(values ?? {});
  return keys.length === 1 && keys[0] === key;
}

/** `PastDue` and `request-changes` in words. */
function toWords(name: string): string {
  return name
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll("-", " ")
    .toLowerCase();
}
