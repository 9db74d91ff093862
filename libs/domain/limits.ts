/** The most characters (code points) of each text. */
export const LONGEST = {
  name: 80,
  slug: 60,
  description: 2000,
  placeholder: 500,
  note: 500,
  /** The processor keeps at most 500 UTF-16 units. */
  refundNote: 250,
  fileName: 255,
  utm: 100,
  reference: 200,
  /** The processor takes 40, of which two are a prefix. */
  metadataKey: 38,
  metadataValue: 500,
  password: 128,
} as const;

/** The fewest characters of a text, after trimming. A person, a key and a field may have a name of one. */
export const SHORTEST = { name: 2, slug: 2, password: 8 } as const;

/** The most parts of a tier and of a request. */
export const MOST = {
  features: 15,
  initialPrices: 50,
  values: 200,
  moves: 1000,
  metadata: 20,
  savedReplies: 20,
} as const;

/** The highest number of events per minute from one address that a publisher can set as a limit. */
export const MOST_PER_MINUTE = 100_000;

/**
 * How many of each thing there may be, and the sentence that refuses another: far more than anybody needs, so that no list,
 * snapshot or form grows without end.
 */
export const COUNT_LIMITS = {
  tiers: limit(500, (most) => `A workspace has at most ${most} tiers, archived ones included.`),
  pricesInAll: limit(5000, (most) => `A workspace has at most ${most} prices, archived ones included.`),
  prices: limit(500, (most) => `A tier has at most ${most} prices, archived ones included.`),
  fields: limit(200, (most) => `A workspace has at most ${most} fields.`),
  apiKeys: limit(100, (most) => `A workspace has at most ${most} API keys.`),
  trackingKeys: limit(20, (most) => `A workspace has at most ${most} tracking keys.`),
  // Every query of counts carries the corrected days: at most 100 x 366.
  corrections: limit(100, (most) => `A workspace has at most ${most} corrections that are applied.`),
  members: limit(500, (most) => `A workspace has at most ${most} members.`),
  invitations: limit(500, (most) => `A workspace has at most ${most} open invitations.`),
};

function limit(most: number, say: (most: number) => string) {
  return { most, sentence: say(most) };
}

/** How many of an advertiser's ads one answer has. */
export const MOST_ADS_OF_ADVERTISER = 100;
/** How many ads the stats of a workspace have. */
export const MOST_ADS_IN_STATS = 1_000;
