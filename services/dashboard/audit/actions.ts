import { AUDIT_VERBS, type AuditAction, type AuditedKind } from "#libs/domain/audit.ts";

/** The kinds of resources that changes are about, as filters call them. */
export const RESOURCES: Readonly<Record<AuditedKind, string>> = {
  ad: "Ads",
  correction: "Corrections",
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
  "tracking-key": "Tracking keys",
  settings: "Settings",
  workspace: "Workspace",
  connect: "Payment account",
};

/** The actions that can be filtered by, with their names: `Ads: request changes`. */
export const ACTIONS = Object.keys(RESOURCES)
  .filter(isAuditedKind)
  .flatMap((kind) =>
    AUDIT_VERBS[kind].map((verb) => ({
      action: `${kind}.${verb}`,
      kind,
      label: `${RESOURCES[kind]}: ${verb.replaceAll("-", " ")}`,
    })),
  );

export function isAuditedKind(text: string): text is AuditedKind {
  return Object.hasOwn(AUDIT_VERBS, text);
}

export function isAuditAction(text: string): text is AuditAction {
  return ACTIONS.some(({ action }) => action === text);
}
