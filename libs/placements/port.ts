import type { Interval } from "#libs/domain/period.ts";

/** An ad as serving needs it, without publisher-only fields. */
export interface SnapshotAd {
  readonly id: string;
  /** Empty, as all content is, once the ad has been off the air for an hour. */
  readonly name: string;
  /** With the workspace's UTM parameters, if it has set some. */
  readonly websiteUrl: string;
  /** Where a click on a link without script leads: the approved address with the workspace's UTM parameters; null if none is approved. */
  readonly clickUrl: string | null;
  /** Empty if none was found. */
  readonly faviconUrl: string;
  readonly tierId: string;
  readonly weight: number;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Start of the current or last eligibility, in milliseconds; null if it was never eligible. */
  readonly servingSince: number | null;
  /** End of that eligibility, past or future, in milliseconds; null if none is known. */
  readonly servingUntil: number | null;
}

export interface SnapshotPrice {
  readonly id: string;
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly amount: number;
  readonly currency: string;
}

export interface SnapshotTier {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly weight: number;
  readonly order: number;
  readonly features: readonly { readonly label: string; readonly type: string }[];
  readonly prices: readonly SnapshotPrice[];
}

/** The publisher's limits: events of a kind per minute, address and ad. 0 is no limit, null the default. */
export interface SnapshotLimits {
  readonly impressionsPerMinute: number | null;
  readonly clicksPerMinute: number | null;
}

/** How a workspace's events are counted and recorded. */
export interface EventRules {
  /** Who counts for what the workspace's events take up of what all share: `ownerOf`, as of the version. "" where nobody knows. */
  readonly owner: string;
  readonly limits: SnapshotLimits;
  /** Whether events count only with a proof that the ad was handed out. */
  readonly requireProof: boolean;
  /** Whether events keep the path of the page and the referring site. */
  readonly recordPages: boolean;
  /** Whether events keep a hash of their visitor; otherwise all are as of visitors who ask for privacy. */
  readonly countVisitors: boolean;
}

/** The rules of a workspace that has set none. */
export const NO_OWN_RULES: EventRules = {
  owner: "",
  limits: { impressionsPerMinute: null, clicksPerMinute: null },
  requireProof: false,
  recordPages: true,
  countVisitors: true,
};

/** Everything that serving needs of a workspace, at one version. Immutable. */
export interface Snapshot extends EventRules {
  readonly workspaceId: string;
  /** Grows with every change that serving can see. */
  readonly version: number;
  /**
   * All ads at this version that are approved or have ever been eligible. Any other ad is found by `workspacesOfAds`: tracking
   * distinguishes an unknown ad from one that is not serving.
   */
  readonly ads: readonly SnapshotAd[];
  /** Active tiers with their active prices, in display order. */
  readonly tiers: readonly SnapshotTier[];
  /** SHA-256 of each tracking key that is valid now, in base64url. */
  readonly trackingKeys: readonly string[];
}

/** A snapshot that serves and sells nothing. */
export function emptySnapshot(workspaceId: string, version: number): Snapshot {
  return {
    workspaceId,
    version,
    ads: [],
    tiers: [],
    trackingKeys: [],
    ...NO_OWN_RULES,
  };
}

/** The source of snapshots that the store does not have: Postgres. */
export interface SnapshotSource {
  /** Null for a workspace that does not exist. */
  loadSnapshot(workspaceId: string): Promise<Snapshot | null>;
  /** The workspace each ad belongs to, by ad; ads that do not exist are absent. */
  workspacesOfAds(adIds: readonly string[]): Promise<Map<string, string>>;
  /** The version of each workspace; those that do not exist are absent. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
  /** At most `count` workspaces by id, after `after` (null: from the first), with their versions. */
  workspacesAfter(after: string | null, count: number): Promise<Map<string, number>>;
}

/** A page that asked for a workspace's ads. */
export interface Sighting {
  readonly workspaceId: string;
  /** With a port other than the usual. */
  readonly host: string;
  /** Milliseconds since the epoch. */
  readonly seenAt: number;
}

/** The store of snapshots. Management writes it; every serving process reads it, and restores what it lacks. */
export interface Placements {
  /** Stores the snapshot, or only its version where there is no room, and calls every subscriber; false if a newer version is stored. */
  publish(snapshot: Snapshot): Promise<boolean>;
  /** The stored snapshot; null if the store has none, although the workspace may exist. */
  read(workspaceId: string): Promise<Snapshot | null>;
  /** The workspaces of ads in stored snapshots, by ad; those that the store lacks are absent, although they may exist. */
  workspacesOfAds(adIds: readonly string[]): Promise<Map<string, string>>;
  /** Restores an entry that `workspacesOfAds` did not find. */
  rememberAd(adId: string, workspaceId: string): Promise<void>;
  /** Calls back after each publication, in any process. Messages can be lost: readers check versions regularly. */
  subscribe(onPublished: (workspaceId: string, version: number) => void): () => void;
  /** Tells all `onSeen`, in any process, without waiting for them. May be lost. */
  noteSeen(sighting: Sighting): void;
  onSeen(onSighting: (sighting: Sighting) => void): () => void;
  /** The newest version of each workspace that was published, whether its snapshot is still stored or not; others are absent. */
  versions(workspaceIds: readonly string[]): Promise<Map<string, number>>;
  close(): Promise<void>;
}
