/** A question that advertisers ask, with the publisher's answer. */
export interface KitQuestion {
  readonly question: string;
  readonly answer: string;
}

/** What the advertising page tells about a site and its readers. Texts are plain; their line breaks count. */
export interface MediaKit {
  readonly description: string | null;
  /** The address of one of the workspace's uploads. */
  readonly logoUrl: string | null;
  readonly audience: string | null;
  readonly topics: readonly string[];
  readonly faq: readonly KitQuestion[];
}

/** The most characters (code points) of each text of a media kit. */
export const LONGEST_IN_KIT = {
  description: 2000,
  audience: 2000,
  topic: 40,
  question: 200,
  answer: 2000,
} as const;

/** The most parts of a media kit. */
export const MOST_IN_KIT = { topics: 12, questions: 12 } as const;
