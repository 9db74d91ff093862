/** An ad as it is served: names and values are texts of the advertiser's, to be shown as text and never as HTML. */
export interface Ad {
  readonly id: string;
  readonly name: string;
  /** Always http or https. */
  readonly websiteUrl: string;
  /** Empty where none was found. */
  readonly faviconUrl: string;
  /** The weight of the ad's tier. */
  readonly weight: number;
  /** The values of the creative's fields, by the field's key. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Proves with an impression or a click that the ad was handed out; valid for a quarter of an hour. */
  readonly proof?: string;
}

/** Which ads a place on a page takes. */
export interface AdRequest {
  /** The workspace's id, `ws_…`. */
  readonly workspace: string;
  /** Distinct ads, 1 to 50. Default 1. */
  readonly count?: number | undefined;
  /** Only tiers of at least this weight. */
  readonly weightGte?: number | undefined;
  /** Only tiers below this weight. */
  readonly weightLt?: number | undefined;
  /** Only these tiers. */
  readonly tierId?: string | readonly string[] | undefined;
  /** Ads that are not wanted, at most 200. */
  readonly excludeIds?: readonly string[] | undefined;
}

export interface CallOptions {
  /** Where the installation is. Default: where the module was loaded from, so a bundled copy has to be told. */
  readonly origin?: string | URL | undefined;
}

export interface TrackOptions extends CallOptions {
  /** Your name for the place on the page, by which reports can be split: at most 60 characters. */
  readonly placement?: string | undefined;
  /** The proof of the ad. Default: the one that it had when this page last got it. */
  readonly proof?: string | undefined;
}

export interface ReadOptions extends CallOptions {
  /** Gives up the request. */
  readonly signal?: AbortSignal | undefined;
}

/** Ads that are held for one place on the page. */
export interface ClaimedAds {
  readonly ads: readonly Ad[];
  /** Lets other places show them again. */
  release(): void;
}

/**
 * Ads to show now, in rotation order; fewer than asked for, or none, where there are no more. Rejects when there is no
 * answer within 8 seconds or none that is one.
 */
export function getAds(request: AdRequest & ReadOptions): Promise<Ad[]>;

/**
 * As `getAds`, without those that another place on this page holds: what is claimed in one turn goes into one request.
 * `/embed.js` claims for its slots too.
 */
export function claimAds(request: AdRequest & ReadOptions): Promise<ClaimedAds>;

/**
 * Reports that an ad was seen, together with others that the page reports within a second, and again where that fails, twice at
 * most. True once it is stored durably, or once the browser has taken it over because the page is left; never rejects.
 */
export function trackImpression(adId: string, options?: TrackOptions): Promise<boolean>;

/** Reports a click so that it outlives the page. True when the browser has taken it over. */
export function trackClick(adId: string, options?: TrackOptions): boolean;

/**
 * Calls back once, when at least half of the element has been in view for a second without a break. Returns what stops
 * the watch.
 */
export function whenInView(element: Element, callback: () => void): () => void;

/** What `/embed.js` adds to the window as `placard`. */
export interface PlacardScript {
  /** Fills a slot, also one that the script does not find by itself: in a shadow root, or with `data-placard-manual`. */
  fill(slot: HTMLElement): Promise<void>;
  /** Begins another page view: other ads, impressions of their own. It does so by itself where the path changes. */
  refresh(): void;
  readonly getAds: typeof getAds;
  readonly trackImpression: typeof trackImpression;
  readonly trackClick: typeof trackClick;
}

declare global {
  interface Window {
    placard?: PlacardScript;
  }
  /** From slots of `/embed.js`; they bubble. */
  interface HTMLElementEventMap {
    "placard:filled": CustomEvent<{ readonly ads: readonly Ad[] }>;
    "placard:empty": CustomEvent<unknown>;
    "placard:failed": CustomEvent<{ readonly error: unknown }>;
    /** `success` as the service answered. */
    "placard:impression": CustomEvent<{ readonly ad: Ad; readonly success: boolean }>;
    "placard:click": CustomEvent<{ readonly ad: Ad }>;
  }
}
