import { type Motif, type Palette, PICTURE } from "./picture.ts";

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
  { key: "tagline", name: "Tagline", type: "Text", isRequired: true, maxLength: 60 },
  {
    key: "image",
    name: "Image",
    type: "Image",
    image: { ...PICTURE, ratio: "6:5", minWidth: 300, minHeight: 250 },
  },
  { key: "button", name: "Button label", type: "Text", maxLength: 20 },
  { key: "internal_note", name: "Internal note", type: "Textarea", isPublisherOnly: true },
] as const;

/** What an advertiser submits. */
export interface DemoCreative {
  readonly name: string;
  readonly site: string;
  readonly tagline: string;
  readonly button: string;
  readonly motif: Motif;
  readonly palette: Palette;
}

/** An ad that was bought; `tier` is an index of `DEMO_TIERS`. */
export interface DemoAd extends DemoCreative {
  readonly tier: number;
  /** How long ago: whole months, and days on top, so that each was charged again as many days ago. */
  readonly bought: { readonly months: number; readonly days: number };
  /** Impressions on an average day now. */
  readonly perDay: number;
}

/** The approved ads. The names are invented, the addresses reserved for examples. */
export const DEMO_ADS: readonly DemoAd[] = [
  {
    name: "Kettlemoor Roasters",
    site: "https://kettlemoor.example",
    tier: 0,
    tagline: "Coffee roasted this morning, at your door tomorrow",
    button: "Taste it",
    motif: "rings",
    palette: [0xf3e6d3, 0xb5763a, 0x5b3216, 0xd9a15f],
    bought: { months: 6, days: 3 },
    perDay: 150,
  },
  {
    name: "Stackfern",
    site: "https://stackfern.example",
    tier: 0,
    tagline: "Hosting that deploys before lunch",
    button: "Start free",
    motif: "bars",
    palette: [0x0f1f3d, 0x37c6a3, 0x5b8def, 0xf4c95d],
    bought: { months: 5, days: 12 },
    perDay: 140,
  },
  {
    name: "Quillmark Type",
    site: "https://quillmark.example",
    tier: 1,
    tagline: "Fonts that stay readable",
    button: "See the fonts",
    motif: "steps",
    palette: [0xfaf7f2, 0x22223b, 0xc9ada7, 0xe63946],
    bought: { months: 4, days: 20 },
    perDay: 90,
  },
  {
    name: "Velorand Bicycles",
    site: "https://velorand.example",
    tier: 1,
    tagline: "Built to be repaired",
    button: "Find yours",
    motif: "hills",
    palette: [0xbfe3f5, 0xffd166, 0x5fa777, 0x2f6f4f],
    bought: { months: 3, days: 6 },
    perDay: 95,
  },
  {
    name: "Papernook Books",
    site: "https://papernook.example",
    tier: 2,
    tagline: "Read something long",
    button: "Browse",
    motif: "waves",
    palette: [0x2b2d42, 0x8d99ae, 0xedf2f4, 0xd90429],
    bought: { months: 2, days: 25 },
    perDay: 70,
  },
  {
    name: "Mossgate Seeds",
    site: "https://mossgate.example",
    tier: 2,
    tagline: "Seeds for small balconies",
    button: "Grow",
    motif: "leaves",
    palette: [0xf1f8e9, 0x7cb342, 0x33691e, 0xffffff],
    bought: { months: 1, days: 16 },
    perDay: 60,
  },
];

/** A bought ad that waits to be reviewed. */
export const DEMO_WAITING: Omit<DemoAd, "perDay"> = {
  name: "Hollowcup Tea",
  site: "https://hollowcup.example",
  tier: 1,
  tagline: "Picked by hand, posted flat",
  button: "Order a box",
  motif: "dots",
  palette: [0xfdf0d5, 0x780000, 0xc1121f, 0x669bbc],
  bought: { months: 0, days: 1 },
};

/** A revision of one of the ads, which waits to be reviewed while the ad continues to serve. */
export const DEMO_REVISION = { of: "Papernook Books", tagline: "Read something longer" } as const;
