// Finding the icon of a site

export {
  createFavicons,
  type FaviconFinding,
  type Favicons,
  type FaviconsOptions,
} from "./favicons.ts";
export type { Icon } from "./icon-type.ts";
