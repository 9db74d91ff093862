/** Who makes changes that the audit log has. */
export const ACTOR_KINDS = ["person", "key", "advertiser", "processor", "operator"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** What is audited in a workspace: the kinds of resources, and what can happen to one. */
export const AUDIT_VERBS = {
  ad: ["submit", "approve", "reject", "request-changes", "pause", "resume", "update"],
  correction: ["apply", "revoke"],
  revision: ["submit", "approve", "reject", "request-changes", "withdraw"],
  subscription: ["create", "update", "cancel", "remind"],
  advertiser: ["subscribe", "unsubscribe", "erase"],
  invoice: ["refund"],
  tier: ["create", "update", "archive", "unarchive"],
  price: ["create", "archive", "unarchive"],
  field: ["create", "update", "delete", "reorder"],
  member: ["join", "update", "suspend", "restore", "remove", "leave"],
  invitation: ["create", "revoke"],
  "api-key": ["create", "revoke"],
  "tracking-key": ["create", "revoke"],
  settings: ["update"],
  workspace: ["create", "update", "suspend", "restore"],
  connect: ["start", "update"],
} as const;
export type AuditedKind = keyof typeof AUDIT_VERBS;

type ActionOf<Kind extends AuditedKind> = `${Kind}.${(typeof AUDIT_VERBS)[Kind][number]}`;

/** `resource.verb`, such as `tier.archive`. */
export type AuditAction = { [Kind in AuditedKind]: ActionOf<Kind> }[AuditedKind];

/** What an operator does to the whole installation; no workspace sees it. */
export type OperatorAction =
  | `person.${"suspend" | "restore" | "delete" | "two-factor-off"}`
  | "workspace.delete";
