// The rules of selling and showing ads: pure, no I/O. The words of the whole repository, each with one meaning:
//
// advertiser    who buys: one a workspace and e-mail address
// tier          a placement level for sale; its weight says how often its ads come first
// price         what a tier costs: an amount each so many days, weeks, months or years
// subscription  an advertiser's running purchase of a price, as the payment processor has it
// creative      what an ad shows: name, address, and the values of the workspace's fields
// ad            a creative on a subscription, with its review status
// placement     a place on the publisher's site that shows ads
// eligible      approved, on a serving subscription, and not past its planned end: it may be shown now
// rotation      the weighted order in which eligible ads are handed out, anew in each 60-second window
// snapshot      all that serving knows of a workspace at one version of it: its eligible ads, its tiers
// impression    an ad was shown to somebody
// click         somebody followed an ad
// verdict       whether an impression or click counts, or why it does not
// offset        a position in a partition of the event log
// range         a run of offsets, read, inserted and committed as one
// intent        the range that is about to be inserted, recorded first so that it can be repeated after a crash
// lag           how many events are in the log and not yet in the stats store
// spill         where acknowledged events wait on local disk while the log is away

// Ids

export * from "./ids.ts";

// People

export * from "./api-key.ts";
export * from "./member.ts";
export * from "./settings.ts";
export * from "./slug.ts";

// Sale and billing

export * from "./advertiser-totals.ts";
export * from "./checkout.ts";
export * from "./invoice.ts";
export * from "./money.ts";
export * from "./period.ts";
export * from "./period-words.ts";
export * from "./revenue.ts";
export * from "./subscription.ts";
export * from "./subscription-billing.ts";
export * from "./tier.ts";

// Review and eligibility

export * from "./eligibility.ts";
export * from "./review.ts";

// Creatives

export * from "./field.ts";
export * from "./field-content.ts";
export * from "./field-definition.ts";
export * from "./field-key.ts";
export * from "./field-values.ts";
export * from "./image.ts";
export * from "./reorder.ts";
export * from "./storable-text.ts";
export * from "./web-url.ts";

// Events and stats

export * from "./event.ts";
export * from "./stats-window.ts";
