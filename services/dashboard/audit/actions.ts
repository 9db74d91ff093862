/** The kinds of resources that changes are about, as filters call them. */
export const RESOURCES = {
  ad: "Ads",
  revision: "Edits",
  subscription: "Subscriptions",
  advertiser: "Advertisers",
  invoice: "Invoices",
  tier: "Tiers",
  price: "Prices",
  field: "Fields",
  member: "Members",
  invitation: "Invitations",
  "api-key": "API keys",
  settings: "Settings",
  workspace: "Workspace",
  connect: "Payment account",
} as const;
export type ResourceKind = keyof typeof RESOURCES;

const VERBS: Readonly<Record<ResourceKind, readonly string[]>> = {
  ad: ["submit", "approve", "reject", "request-changes", "pause", "resume", "update"],
  revision: ["submit", "approve", "reject", "request-changes", "withdraw"],
  subscription: ["create", "update"],
  advertiser: ["unsubscribe", "erase"],
  invoice: ["refund"],
  tier: ["create", "update", "archive", "unarchive"],
  price: ["create", "archive", "unarchive"],
  field: ["create", "update", "delete", "reorder"],
  member: ["join", "update", "suspend", "restore", "remove", "leave"],
  invitation: ["create", "revoke"],
  "api-key": ["create", "revoke"],
  settings: ["update"],
  workspace: ["create", "update", "suspend", "restore"],
  connect: ["start", "update"],
};

/** The actions that can be filtered by, with their names: `Ads: request changes`. */
export const ACTIONS = kinds().flatMap((kind) =>
  VERBS[kind].map((verb) => ({
    action: `${kind}.${verb}`,
    kind,
    label: `${RESOURCES[kind]}: ${verb.replaceAll("-", " ")}`,
  })),
);

function kinds(): ResourceKind[] {
  return Object.keys(RESOURCES).filter((key): key is ResourceKind => Object.hasOwn(RESOURCES, key));
}
