import type { Interval } from "#libs/domain/period.ts";

/** One ad as serving needs it. All texts are ready to show; publisher-only fields are not in here. */
export interface PlacedAd {
  readonly id: string;
  readonly name: string;
  readonly websiteUrl: string;
  /** Empty where none was found. */
  readonly faviconUrl: string;
  readonly tierId: string;
  readonly weight: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Start of the eligibility that holds now or held last, in milliseconds; null when it never was eligible. */
  readonly servingSince: number | null;
  /** When that eligibility ended or is going to end, in milliseconds; null when no end is known. */
  readonly servingUntil: number | null;
}

export interface PlacedPrice {
  readonly id: string;
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly amount: number;
  readonly currency: string;
}

export interface PlacedTier {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly weight: number;
  readonly order: number;
  readonly features: readonly { readonly label: string; readonly type: string }[];
  readonly prices: readonly PlacedPrice[];
}

/** What the publisher lets one address do: events of a kind a minute for an ad. 0 is no limit, null the installation's. */
export interface PlacedLimits {
  readonly impressionsPerMinute: number | null;
  readonly clicksPerMinute: number | null;
}

/** The limits of a workspace whose publisher has set none. */
export const NO_OWN_LIMITS: PlacedLimits = { impressionsPerMinute: null, clicksPerMinute: null };

/** Everything serving knows of a workspace, at one version. Written by management, never changed in place. */
export interface Snapshot {
  readonly workspaceId: string;
  /** Grows with every change that serving can see. */
  readonly version: number;
  /** All ads of the workspace, eligible or not, so that tracking can tell an unknown ad from one not serving. */
  readonly ads: readonly PlacedAd[];
  /** Active tiers with their active prices, in display order. */
  readonly tiers: readonly PlacedTier[];
  readonly limits: PlacedLimits;
}

/** Where snapshots come from when the store has none: Postgres. */
export interface SnapshotSource {
  /** Null for a workspace that does not exist. */
  loadSnapshot(workspaceId: string): Promise<Snapshot | null>;
  /** The workspace an ad belongs to; null for an ad that does not exist. */
  workspaceOfAd(adId: string): Promise<string | null>;
  /** The version of each workspace that is asked for; those that do not exist are absent. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
  /** The next workspaces by id after `after` (null: from the first), `count` at most, with their versions. */
  workspacesAfter(after: string | null, count: number): Promise<Map<string, number>>;
}

/** The store of snapshots that management writes and every serving process reads. */
export interface Placements {
  /** Stores the snapshot unless a newer version is there (then false), and tells every subscriber. */
  publish(snapshot: Snapshot): Promise<boolean>;
  /** The stored snapshot; null when the store has none, which does not mean the workspace is unknown. */
  read(workspaceId: string): Promise<Snapshot | null>;
  /** The workspace of an ad in a stored snapshot; null when the store has none, which does not mean the ad is unknown. */
  workspaceOfAd(adId: string): Promise<string | null>;
  /** Gives the store back what `workspaceOfAd` ought to have found in it. */
  rememberAd(adId: string, workspaceId: string): Promise<void>;
  /** Calls back after each publication, in any process. Delivery is best effort: readers re-check versions. */
  subscribe(onPublished: (workspaceId: string, version: number) => void): () => void;
  /** The stored version of each workspace that is asked for; those without a snapshot are absent. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}
