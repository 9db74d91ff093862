import type { Field } from "#libs/contract/fields.ts";
import { previewAd, recommendedSize, SAMPLE_IMAGE, sampleAd } from "#libs/embed/preview.ts";
import type { Ad } from "#libs/embed/types/embed.d.mts";
import { type Html, html } from "#libs/html/index.ts";
import type { Uploads } from "#libs/uploads/index.ts";

/** An ad as the script draws it, with the embed's own card. */
export interface Preview {
  readonly ad: Ad;
  /** As the slot's `data-image-size`. */
  readonly imageSize: string | undefined;
  /** Whether the ad is an invented one, which stands in for what is not written yet. */
  readonly isSample: boolean;
  /** The fields of the form whose values are texts, and those whose values are images in stores at `imageOrigins`. */
  readonly keys: readonly string[];
  readonly imageKeys: readonly string[];
  readonly imageOrigins: readonly string[];
}

/** What an advertiser has written so far, by the fields' keys. */
interface Written {
  readonly name: string;
  readonly websiteUrl: string;
  readonly faviconUrl: string | null;
  readonly values: ReadonlyMap<string, string>;
}

/** The ad as sites show it. `isLive` follows the form of the page. Images elsewhere are shown once they are copied. */
export function adPreview(
  written: Written,
  fields: readonly Field[],
  uploads: Pick<Uploads, "locate" | "origins">,
  isLive = false,
): Html {
  const values = Object.fromEntries(
    fields.flatMap(({ id, key, type }) => {
      const value = written.values.get(key)?.trim() ?? "";
      const isShown = type === "Image" ? uploads.locate(value) !== null : value !== "" && type !== "Switch";
      return isShown ? [[id, value]] : [];
    }),
  );
  const ad = previewAd({ ...written, values }, fields);
  return place({ ad, isSample: false, imageOrigins: uploads.origins }, fields, isLive);
}

/** An invented ad with the fields of the workspace, which follows the form of the page. */
export function samplePreview(fields: readonly Field[], publicUrl: URL): Html {
  const ad = sampleAd(fields, `${publicUrl.origin}${SAMPLE_IMAGE}`);
  return place({ ad, isSample: true, imageOrigins: [] }, fields, true);
}

function place(
  shown: Pick<Preview, "ad" | "isSample" | "imageOrigins">,
  fields: readonly Field[],
  isLive: boolean,
): Html {
  const preview: Preview = {
    ...shown,
    imageSize: recommendedSize(fields),
    keys: fields.filter(({ type }) => type !== "Image" && type !== "Switch").map(({ key }) => key),
    imageKeys: fields.filter(({ type }) => type === "Image").map(({ key }) => key),
  };
  return html`<div class="creative" data-creative="${JSON.stringify(preview)}"${isLive ? html` data-live` : null}></div>
<noscript><p class="hint">Turn on JavaScript to see the preview.</p></noscript>`;
}
