/** What the example page documents, a row each. */
export const ATTRIBUTES: readonly (readonly [string, string])[] = [
  ["data-placard", "The workspace whose ads are shown: its id, ws_…"],
  ["data-count", "How many ads, 1 to 50. 1 where it is left out."],
  ["data-weight-gte", "Only tiers of at least this weight."],
  ["data-weight-lt", "Only tiers below this weight."],
  ["data-tier-id", "Only these tiers, their ids separated by commas."],
  ["data-exclude-ids", "Never these ads, their ids separated by commas."],
  ["data-label", "What each card says it is. “Sponsored” where it is left out."],
  ["data-theme", "light or dark, whatever the page is."],
  [
    "data-text",
    "Which field of your creatives the card shows as its text: keys, the first with a value is taken.",
  ],
  ["data-image", "The same for its picture. Without one it shows a logo or the favicon."],
  ["data-button", "The same for its button."],
  ["data-template", "A selector of a template elsewhere on the page."],
];

export const EVENTS: readonly (readonly [string, string])[] = [
  ["placard:filled", "detail.ads are on the page."],
  ["placard:empty", "No ad is left for this place."],
  [
    "placard:failed",
    "The ads could not be asked for, or not in 8 seconds; detail.error says why. It is tried again once the browser is online.",
  ],
  ["placard:impression", "detail.ad was seen; detail.success as it was answered."],
  ["placard:click", "detail.ad was clicked."],
];

export const VARIABLES = `[data-placard] {
  --placard-background: #0b5d3b;
  --placard-color: #fff;
  --placard-muted: #d3efe2;         /* text and label */
  --placard-border: #0b5d3b;
  --placard-accent: #0b5d3b;        /* button, focus */
  --placard-accent-color: #fff;
  --placard-radius: 0;
  --placard-padding: 12px 14px;
  --placard-gap: 12px;
  --placard-width: 280px;           /* of a card at least */
  --placard-image-height: 160px;
  --placard-font: 500 16px/1.4 Georgia, serif;
}`;

export const MODULE_EXAMPLE = `import { claimAds, trackClick, trackImpression, whenInView } from "ORIGIN/embed.mjs";

const { ads } = await claimAds({ workspace: "WORKSPACE", count: 1 });
for (const ad of ads) {
  const link = Object.assign(document.createElement("a"), {
    href: ad.websiteUrl, textContent: ad.name, target: "_blank", rel: "sponsored noopener",
  });
  document.querySelector("#place").append(link);
  whenInView(link, () => trackImpression(ad.id));
  link.addEventListener("click", () => trackClick(ad.id));
}`;

export const REACT_EXAMPLE = `import { Placard } from "./embed-react.mjs"; // a copy of ORIGIN/embed-react.mjs

<Placard origin="ORIGIN" workspace="WORKSPACE" view={pathname} fallback={<p>Your ad here.</p>}>
  {(ad) => <a href={ad.websiteUrl} target="_blank" rel="sponsored noopener">{ad.name}</a>}
</Placard>`;
