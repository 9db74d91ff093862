import { trimEndOf } from "#libs/domain/trim-end.ts";
import { parseUploadKey } from "./upload-key.ts";

/** The public addresses of a store's files, all below one address. */
export interface Addresses {
  of(key: string): string;
  /** See `Uploads.locate`. */
  locate(url: string): { readonly key: string | null } | null;
}

/** Addresses below `base`, whose path may end with a slash or not. */
export function addressesBelow(base: URL): Addresses {
  const root = `${base.origin}${trimEndOf(base.pathname, "/")}/`;
  const { host, pathname } = new URL(root);
  return {
    of: (key) => `${root}${key}`,
    locate(text) {
      const url = URL.parse(text);
      // Any address under which a browser finds the file, whatever its scheme and escapes.
      if (url?.host !== host || !unescaped(url.pathname).startsWith(pathname)) return null;
      const key = text.startsWith(root) ? text.slice(root.length) : "";
      return { key: parseUploadKey(key) === null ? null : key };
    },
  };
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
