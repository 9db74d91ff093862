/** The longest side of any image, in pixels. */
export const LONGEST_SIDE = 8_192;

/** What an image field asks of its images, in pixels; null where it does not. */
export interface ImageRules {
  /** Recommended, and what the space on the site is reserved for. */
  readonly width: number | null;
  readonly height: number | null;
  /** Width to height, such as `6:5`. */
  readonly ratio: string | null;
  readonly minWidth: number | null;
  readonly minHeight: number | null;
}

/** In pixels. */
export interface ImageSize {
  readonly width: number;
  readonly height: number;
}

/** Two positive numbers with at most two decimals, such as `16:9` or `1.91:1`. */
export const IMAGE_RATIO =
  /^(?!0+(?:\.0+)?:)[0-9]{1,4}(?:\.[0-9]{1,2})?:(?!0+(?:\.0+)?$)[0-9]{1,4}(?:\.[0-9]{1,2})?$/;

/** How far an image may be from the ratio: editors round to whole pixels, and advertisers crop by hand. */
const TOLERANCE = 0.03;

/** What is wrong with an image of that size, in a sentence; null if the field takes it. */
export function imageSizeProblem(rules: ImageRules, size: ImageSize): string | null {
  const { minWidth, minHeight, ratio } = rules;
  const has = `The image has ${size.width} × ${size.height} pixels`;
  if (size.width < (minWidth ?? 0) || size.height < (minHeight ?? 0)) {
    return `${has}; it must have at least ${leastWords(rules)}.`;
  }
  return ratio === null || fitsRatio(size, ratio) ? null : `${has}; its ratio must be ${ratio}.`;
}

/** What the field asks of an image, in sentences for its advertiser; empty for nothing. */
export function imageRulesWords(rules: ImageRules): string {
  const { width, height, ratio, minWidth, minHeight } = rules;
  const recommended = sizeWords(width, height);
  return [
    recommended === null ? null : `Recommended: ${recommended}.`,
    ratio === null ? null : `Ratio ${ratio}.`,
    minWidth === null && minHeight === null ? null : `At least ${leastWords(rules)}.`,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

/** What of the rules contradicts itself, by path below the rules; empty when they are sound. */
export function checkImageRules(rules: ImageRules): Record<string, string[]> {
  const { width, height, ratio, minWidth, minHeight } = rules;
  const problems: Record<string, string[]> = {};
  if (width !== null && (minWidth ?? 0) > width) {
    problems.minWidth = ["Must not be more than the recommended width."];
  }
  if (height !== null && (minHeight ?? 0) > height) {
    problems.minHeight = ["Must not be more than the recommended height."];
  }
  if (ratio !== null && width !== null && height !== null && !fitsRatio({ width, height }, ratio)) {
    problems.ratio = ["The recommended size has another ratio."];
  }
  return problems;
}

function fitsRatio({ width, height }: ImageSize, ratio: string): boolean {
  const [across = Number.NaN, down = Number.NaN] = ratio.split(":").map(Number);
  return Math.abs((width * down) / (height * across) - 1) <= TOLERANCE;
}

function leastWords({ minWidth, minHeight }: ImageRules): string {
  return sizeWords(minWidth, minHeight) ?? "";
}

function sizeWords(width: number | null, height: number | null): string | null {
  if (width !== null && height !== null) return `${width} × ${height} pixels`;
  if (width !== null) return `${width} pixels in width`;
  return height === null ? null : `${height} pixels in height`;
}
