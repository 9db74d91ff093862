import { priceText } from "./price-text.ts";
import type { AuditEntry, ResourceNames } from "./shapes.ts";

/** An entry in plain words: Mara Lind | archived the tier | Gold. */
export interface Sentence {
  readonly who: string;
  readonly did: string;
  /** The name of what it was done to, where that is known. */
  readonly what: string | null;
  /** What follows the name, if anything. */
  readonly more?: string;
}

type Values = Readonly<Record<string, unknown>>;

/** A thing as it is called with its name behind it, and without one. */
const THINGS = {
  ad: ["the ad", "an ad"],
  apiKey: ["the API key", "an API key"],
  field: ["the field", "a field"],
  invitation: ["the invitation of", "an invitation"],
  price: ["the price", "a price"],
  tier: ["the tier", "a tier"],
  update: ["the update of the ad", "the update of an ad"],
} as const;

const DEEDS: Readonly<Record<string, readonly [verb: string, thing: keyof typeof THINGS]>> = {
  "ad.approve": ["approved", "ad"],
  "ad.pause": ["paused", "ad"],
  "ad.reject": ["rejected", "ad"],
  "ad.request-changes": ["requested changes to", "ad"],
  "ad.resume": ["resumed", "ad"],
  "api-key.create": ["created", "apiKey"],
  "api-key.revoke": ["revoked", "apiKey"],
  "field.create": ["created", "field"],
  "field.delete": ["deleted", "field"],
  "field.update": ["changed", "field"],
  "invitation.revoke": ["revoked", "invitation"],
  "price.archive": ["archived", "price"],
  "price.create": ["added", "price"],
  "revision.approve": ["approved", "update"],
  "revision.reject": ["rejected", "update"],
  "revision.request-changes": ["requested changes to", "update"],
  "tier.archive": ["archived", "tier"],
  "tier.create": ["created", "tier"],
};

/** Deeds whose words depend on what changed. */
const TOLD: Readonly<Record<string, (entry: AuditEntry, name: string | null) => Omit<Sentence, "who">>> = {
  "ad.submit": ({ before }, name) => about(before === null ? "submitted" : "changed", "ad", name),
  "advertiser.unsubscribe": () => plain("unsubscribed from the monthly reports"),
  "connect.start": () => plain("began to set up the payment account"),
  "connect.update": () => plain("changed the state of the payment account"),
  "field.reorder": () => plain("put the fields in another order"),
  "invitation.create": ({ after }) => ({
    did: "invited",
    what: textOf(after, "email"),
    more: `as ${textOf(after, "role") ?? "member"}`,
  }),
  "member.join": ({ after }) => plain(`joined as ${textOf(after, "role") ?? "member"}`),
  "member.leave": () => plain("left the workspace"),
  "member.remove": (_entry, name) => ({ did: name === null ? "removed a member" : "removed", what: name }),
  "member.update": ({ after }, name) => ({
    did: name === null ? "gave a member" : "gave",
    what: name,
    more: `the role ${textOf(after, "role") ?? "of another kind"}`,
  }),
  "price.unarchive": (_entry, name) => ({ ...about("put", "price", name), more: "back on sale" }),
  "revision.submit": (_entry, name) => about("submitted", "update", name),
  "settings.update": () => plain("changed the settings"),
  "subscription.create": () => plain("started a subscription"),
  "subscription.update": ({ after }) => {
    const status = textOf(after, "status");
    return plain(status === null ? "updated a subscription" : `changed a subscription to ${toWords(status)}`);
  },
  "tier.unarchive": (_entry, name) => ({ ...about("put", "tier", name), more: "back on sale" }),
  "tier.update": ({ after }, name) => about(isOnly(after, "order") ? "moved" : "changed", "tier", name),
  "member.restore": (_entry, name) => ({ did: name === null ? "restored a member" : "restored", what: name }),
  "member.suspend": (_entry, name) => ({
    did: name === null ? "suspended a member" : "suspended",
    what: name,
  }),
  "workspace.create": (_entry, name) => ({ did: "created the workspace", what: name }),
  "workspace.restore": () => plain("restored the workspace"),
  "workspace.suspend": () => plain("suspended the workspace"),
  "workspace.update": () => plain("changed the workspace"),
};

/** Tells an entry as a sentence. An action that is new to this page is told by its own name. */
export function sentenceOf(entry: AuditEntry, names: ResourceNames): Sentence {
  const who = actorName(entry.actor);
  const name = nameOf(entry, names);
  const told = TOLD[entry.action];
  if (told !== undefined) return { who, ...told(entry, name) };
  const deed = DEEDS[entry.action];
  if (deed !== undefined) return { who, ...about(...deed, name) };
  return { who, did: `made a change (${toWords(entry.action.replace(".", " "))})`, what: name };
}

function about(verb: string, thing: keyof typeof THINGS, name: string | null): Omit<Sentence, "who"> {
  const [named, unnamed] = THINGS[thing];
  return { did: `${verb} ${name === null ? unnamed : named}`, what: name };
}

function plain(did: string): Omit<Sentence, "who"> {
  return { did, what: null };
}

function actorName({ kind, name }: AuditEntry["actor"]): string {
  if (kind === "key") return `${name} by API key`;
  return name.trim() === "" ? "Somebody" : name;
}

/** By the entry itself, which tells what it was called then; else by what it is called today. */
function nameOf({ resource, before, after }: AuditEntry, names: ResourceNames): string | null {
  const values = { ...before, ...after };
  const own = textOf(values, "name") ?? textOf(values, "email") ?? priceText(values);
  return own ?? names.get(resource.id) ?? null;
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
