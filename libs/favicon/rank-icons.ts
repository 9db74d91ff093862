import type { DeclaredIcon } from "./declared-icons.ts";

/** Twice the pixels that pages show an icon in, for screens that have two for each. */
const WANTED_SIZE = 64;

/** What an icon has that does not say: common for icons, and Apple's rule for home screens. */
const USUAL_SIZE = { icon: 32, touch: 180 } as const;

/** Types that are taken, the better ones first. */
const TYPES: readonly string[] = [
  "image/png",
  "image/webp",
  "image/x-icon",
  "image/vnd.microsoft.icon",
  "image/jpeg",
  "image/gif",
];

/** Icons that may be usable, the best first. SVG is none of them: it can carry scripts. */
export function rankIcons(icons: readonly DeclaredIcon[]): DeclaredIcon[] {
  return icons
    .filter(({ type, url }) => (type === null ? !/\.svgz?$/i.test(url.pathname) : isPossible(type)))
    .map((icon, place) => ({ icon, place }))
    .sort(
      (a, b) =>
        Number(a.icon.isForDark) - Number(b.icon.isForDark) ||
        distance(a.icon) - distance(b.icon) ||
        typeRank(a.icon) - typeRank(b.icon) ||
        // Browsers take the last of equally good ones.
        b.place - a.place,
    )
    .map(({ icon }) => icon);
}

/** How far a size is from the wanted one: to enlarge is twice as bad as to shrink. A home screen's icon is second choice. */
function distance({ size, kind }: DeclaredIcon): number {
  const steps = Math.log2((size ?? USUAL_SIZE[kind]) / WANTED_SIZE);
  return (steps < 0 ? -2 * steps : steps) + (kind === "touch" ? 1 : 0);
}

/** Servers have many names for some types; only what is surely something else is left out. */
function isPossible(type: string): boolean {
  return TYPES.includes(type) || !/^image\/(?:svg|avif|jxl|heic)|^text\/html/.test(type);
}

function typeRank({ type }: DeclaredIcon): number {
  const rank = type === null ? -1 : TYPES.indexOf(type);
  return rank === -1 ? TYPES.length : rank;
}
