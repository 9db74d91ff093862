/** Who makes changes that the audit log has. */
export const ACTOR_KINDS = ["person", "key", "advertiser", "processor", "operator"] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];
