/** The rows of the example page's tables. */
export const ATTRIBUTES: readonly (readonly [string, string])[] = [
  ["data-placard", "The ID of the workspace whose ads are shown, ws_…"],
  ["data-count", "Number of ads, 1 to 50. Default 1."],
  ["data-weight-gte", "Only tiers of at least this weight."],
  ["data-weight-lt", "Only tiers below this weight."],
  ["data-tier-id", "Only these tiers, IDs separated by commas."],
  ["data-exclude-ids", "Never these ads, IDs separated by commas."],
  [
    "data-placement",
    "Your name for this place, by which reports can be split. On the script’s tag: of all slots that have none.",
  ],
  ["data-label", "Disclosure label. Default “Sponsored”."],
  ["data-theme", "light or dark, independent of the page."],
  ["data-text", "Keys of the fields to use as the card’s text; the first with a value is shown."],
  ["data-image", "The same for the image. Without one the card shows a logo or the favicon."],
  ["data-button", "The same for the button."],
  [
    "data-min-height",
    "The height that the slot has at least, in pixels, with an ad or without: the page does not move when an ad arrives. Say it in the element’s style too, which applies before the script does.",
  ],
  ["data-image-size", "The size that your images have, such as 300x250. Cards reserve it and do not crop."],
  ["data-template", "Selector of a template anywhere on the page."],
];

export const EVENTS: readonly (readonly [string, string])[] = [
  ["placard:filled", "detail.ads are on the page now."],
  ["placard:empty", "No ad is available for this slot."],
  [
    "placard:failed",
    "The ads could not be loaded within 8 seconds; detail.error says why. The script tries again once the browser is online.",
  ],
  ["placard:impression", "detail.ad was seen; detail.success is the server’s answer."],
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
  --placard-image-width: 320px;     /* of an image at most */
  --placard-image-height: 160px;    /* the same */
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

export const REACT_EXAMPLE = `import { Placard } from "../../embed/embed-react.mjs"; // a copy of ORIGIN/embed-react.mjs

<Placard origin="ORIGIN" workspace="WORKSPACE" view={pathname} fallback={<p>Your ad here.</p>}>
  {(ad) => <a href={ad.websiteUrl} target="_blank" rel="sponsored noopener">{ad.name}</a>}
</Placard>`;

import { Html } from "#libs/html/index.ts";

/** Styles the example page alone; the embed styles the ads. */
export const DEMO_STYLE = new Html(`
:root{color-scheme:light dark;--line:light-dark(#d5d7db,#3f434a);--soft:light-dark(#f4f5f7,#1a1c20);--muted:light-dark(#5c5f66,#aeb3bb)}
*{box-sizing:border-box}
body{margin:0;background:light-dark(#fff,#121316);color:light-dark(#1a1b1e,#eceef0);font:16px/1.55 system-ui,sans-serif;overflow-wrap:anywhere}
main{max-width:46rem;margin:0 auto;padding:2rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .5rem}
h2{font-size:1.15rem;margin:2.5rem 0 .5rem}
p{margin:.5rem 0 .75rem}
a{color:light-dark(#1c5fd4,#8ab8ff)}
.muted{color:var(--muted)}
pre{margin:.75rem 0 0;padding:.75rem 1rem;overflow-x:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;font-size:.85rem}
code{font-family:ui-monospace,monospace;font-size:.9em}
pre code{font-size:inherit}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:start;vertical-align:top;padding:.4rem .5rem .4rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600}
td:first-child{white-space:nowrap;padding-inline-end:1rem}
form,.row{display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
input,button{font:inherit;padding:.4rem .7rem;border-radius:6px;border:1px solid light-dark(#767b84,#8b919b);background:light-dark(#fff,#1f2125);color:inherit;min-width:0}
button{cursor:pointer}
:focus-visible{outline:2px solid light-dark(#1c5fd4,#8ab8ff);outline-offset:2px}
#reports{margin:0;padding:0;list-style:none}
[role=log]{margin:.75rem 0 0;padding:.75rem 1rem;min-height:3rem;max-height:14rem;overflow-y:auto;background:var(--soft);border:1px solid var(--line);border-radius:8px;font-size:.9rem}
.brand{--placard-background:#0b5d3b;--placard-color:#fff;--placard-muted:#d3efe2;--placard-border:#0b5d3b;--placard-radius:0;--placard-font:500 16px/1.4 Georgia,serif}
.line{display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline;padding:.5rem 0;border-block:1px solid var(--line)}
.line small{color:var(--muted)}
`);
