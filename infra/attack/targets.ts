/** One way to write the target of a request so that two readers may understand different places. */
export interface TargetForm {
  readonly name: string;
  /** The target for an ordinary path, which begins with a slash. */
  readonly write: (path: string) => string;
}

const afterFirst = (path: string, between: string) => path.replace(/^(\/[^/]+)\//, `$1${between}`);
const beforeLast = (path: string, between: string) => path.replace(/\/([^/]*)$/, `${between}$1`);

/**
 * Targets that the URL standard reads as another path than the one that was sent (https://url.spec.whatwg.org, path
 * state): no server may answer them with anything but 404, or 400 where they are no HTTP at all.
 */
export const MISLEADING_FORMS: readonly TargetForm[] = [
  { name: "a backslash first", write: (path) => `\\${path.slice(1)}` },
  { name: "a slash and a backslash first", write: (path) => `/\\${path.slice(1)}` },
  { name: "a backslash inside", write: (path) => afterFirst(path, "\\") },
  { name: "a backslash before the last part", write: (path) => beforeLast(path, "\\") },
  { name: "backslashes only", write: (path) => path.replaceAll("/", "\\") },
  { name: "a parent", write: (path) => `/x/..${path}` },
  { name: "an encoded parent", write: (path) => `/x/%2e%2e${path}` },
  { name: "a half encoded parent", write: (path) => `/x/.%2E${path}` },
  { name: "a parent by backslashes", write: (path) => `/x\\..${path.replaceAll("/", "\\")}` },
  { name: "an encoded parent and a backslash", write: (path) => `/x/%2e%2e\\${path.slice(1)}` },
  { name: "a parent above the root", write: (path) => `/../..${path}` },
  { name: "a single dot", write: (path) => `/.${path}` },
  { name: "an encoded single dot", write: (path) => `/%2e${path}` },
  { name: "a single dot inside", write: (path) => beforeLast(path, "/./") },
  { name: "a single dot and a backslash inside", write: (path) => beforeLast(path, "/.\\") },
  { name: "a single dot at the end", write: (path) => `${path}/.` },
  { name: "a detour at the end", write: (path) => `${path}/x/..` },
  { name: "an encoded detour at the end", write: (path) => `${path}/x/%2e%2e` },
  { name: "an authority", write: (path) => `//evil.test${path}` },
  { name: "a doubled slash first", write: (path) => `/${path}` },
  { name: "tripled slashes first", write: (path) => `//${path}` },
  { name: "the absolute form", write: (path) => `http://127.0.0.1${path}` },
  { name: "the absolute form of another host", write: (path) => `http://evil.test${path}` },
  { name: "a tab inside", write: (path) => beforeLast(path, "/\t") },
  { name: "a tab at the end", write: (path) => `${path}\t` },
  { name: "a NUL at the end", write: (path) => `${path}\0` },
  { name: "a line feed inside", write: (path) => beforeLast(path, "/\n") },
];

/** Targets that name another path by every standard, but that a lenient reader could take for this one. */
export const LOOKALIKE_FORMS: readonly TargetForm[] = [
  { name: "as it is", write: (path) => path },
  { name: "upper case", write: (path) => path.toUpperCase() },
  { name: "an encoded letter", write: (path) => path.replace(/^\/(.)/, encodeFirst) },
  { name: "encoded slashes", write: (path) => path.replace(/(?<!^)\//g, "%2f") },
  { name: "doubly encoded slashes", write: (path) => path.replace(/(?<!^)\//g, "%252f") },
  { name: "an encoded backslash", write: (path) => beforeLast(path, "%5c") },
  { name: "doubled slashes inside", write: (path) => beforeLast(path, "//") },
  { name: "a slash at the end", write: (path) => `${path}/` },
  { name: "a semicolon", write: (path) => `${path};x=1` },
  { name: "a parent behind a semicolon", write: (path) => `/x/..;${path}` },
  { name: "an encoded NUL", write: (path) => `${path}%00` },
  { name: "an encoded line feed", write: (path) => `${path}%0a` },
  { name: "an encoded question mark", write: (path) => `${path}%3fx` },
  { name: "a fragment", write: (path) => `${path}#x` },
  { name: "a suffix", write: (path) => `${path}.json` },
  { name: "broken encoding", write: (path) => `${path}%zz` },
  { name: "broken UTF-8", write: (path) => `${path}%ff` },
  { name: "a method override", write: (path) => `${path}?_method=DELETE` },
];

/** Ways to write `count` steps up from within a parameter of a path, and then down to another one. */
export const CLIMBS: readonly {
  readonly name: string;
  readonly write: (count: number, path: string) => string;
}[] = [
  { name: "..\\", write: (count, path) => "..\\".repeat(count) + path.slice(1).replaceAll("/", "\\") },
  { name: "..\\ and slashes", write: (count, path) => "..\\".repeat(count) + path.slice(1) },
  { name: ".\\..\\", write: (count, path) => `.\\${"..\\".repeat(count)}${path.slice(1)}` },
  { name: "\\..\\", write: (count, path) => `\\${"..\\".repeat(count + 1)}${path.slice(1)}` },
  { name: "%2e%2e\\", write: (count, path) => "%2e%2e\\".repeat(count) + path.slice(1) },
  { name: "%2e%2e/", write: (count, path) => "%2e%2e/".repeat(count) + path.slice(1) },
  { name: "../", write: (count, path) => "../".repeat(count) + path.slice(1) },
  { name: "..%5c", write: (count, path) => "..%5c".repeat(count) + path.slice(1) },
  { name: "..%2f", write: (count, path) => "..%2f".repeat(count) + path.slice(1).replaceAll("/", "%2f") },
];

function encodeFirst(_all: string, letter: string): string {
  return `/%${letter.charCodeAt(0).toString(16)}`;
}

/** Whether a server may answer a misleading target like that. */
export function isRefusedTarget(status: number): boolean {
  return status === 404 || status === 400 || status === 0;
}
