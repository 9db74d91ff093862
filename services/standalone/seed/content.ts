/** The tiers of the demo workspace. */
export const DEMO_TIERS = [
  {
    name: "Headline",
    description: "Above the fold, on every page.",
    weight: 5,
    amount: 19900,
    features: [
      { label: "Top of every page", type: "positive" },
      { label: "Five times the rotation of Footer", type: "positive" },
    ],
  },
  {
    name: "Sidebar",
    description: "Beside the article.",
    weight: 2,
    amount: 7900,
    features: [{ label: "Beside every article", type: "positive" }],
  },
  {
    name: "Footer",
    description: "At the end of the page.",
    weight: 1,
    amount: 2900,
    features: [{ label: "End of every page", type: "neutral" }],
  },
] as const;

/** The creative fields of the demo workspace. */
export const DEMO_FIELDS = [
  { key: "tagline", name: "Tagline", type: "Text", required: true, publisherOnly: false, maxLength: 60 },
  { key: "button", name: "Button label", type: "Text", required: false, publisherOnly: false, maxLength: 20 },
  {
    key: "internal_note",
    name: "Internal note",
    type: "Textarea",
    required: false,
    publisherOnly: true,
    maxLength: null,
  },
] as const;

/** The approved ads; `tier` is an index of `DEMO_TIERS`. Names and addresses are reserved for examples. */
export const DEMO_ADS = [
  {
    name: "Example Coffee",
    site: "https://coffee.example",
    tier: 0,
    tagline: "Roasted this morning",
    perDay: 900,
  },
  {
    name: "Example Hosting",
    site: "https://hosting.example",
    tier: 0,
    tagline: "Deploy before lunch",
    perDay: 820,
  },
  {
    name: "Example Type",
    site: "https://type.example",
    tier: 1,
    tagline: "Fonts that stay readable",
    perDay: 340,
  },
  {
    name: "Example Bikes",
    site: "https://bikes.example",
    tier: 1,
    tagline: "Built to be repaired",
    perDay: 310,
  },
  {
    name: "Example Books",
    site: "https://books.example",
    tier: 2,
    tagline: "Read something long",
    perDay: 150,
  },
  {
    name: "Example Garden",
    site: "https://garden.example",
    tier: 2,
    tagline: "Seeds for small balconies",
    perDay: 140,
  },
] as const;

/** A submission of an advertiser. */
export interface DemoCreative {
  readonly name: string;
  readonly site: string;
  readonly tagline: string;
}

/** A bought ad that waits to be reviewed. */
export const DEMO_WAITING = {
  name: "Example Tea",
  site: "https://tea.example",
  tier: 1,
  tagline: "Picked by hand, posted flat",
} as const;

/** A revision of one of the ads, which waits to be reviewed while the ad continues to serve. */
export const DEMO_REVISION = {
  name: "Example Books",
  site: "https://books.example",
  tagline: "Read something longer",
} as const;

/** Days of history before today: the dashboard's first window and one more. */
export const DEMO_DAYS = 30;
