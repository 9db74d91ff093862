import type { AttackedRequest } from "./attacked-requests.ts";

/** A place in a request that a value is put into. */
export interface Place {
  /** `body.initialPrices.0.amount`, `query.days`, `path.adId`. */
  readonly name: string;
  /** The request with that value there. */
  readonly put: (value: unknown) => { readonly target: string; readonly body: string | null };
}

/** Every leaf of the body, every parameter of the query and of the path; the other parts stay sound. */
export function placesOf(request: AttackedRequest, fill: (name: string) => string): Place[] {
  const { body } = request;
  const sound = write(request, body, null, null, fill);
  const inBody = leavesOf(body ?? {}).map((path) => ({
    name: `body.${path.join(".")}`,
    put: (value: unknown) => write(request, replaced(body, path, value), null, null, fill),
  }));
  const inQuery = request.query.map((name) => ({
    name: `query.${name}`,
    put: (value: unknown) => ({ ...write(request, body, null, [name, textOf(value)], fill) }),
  }));
  const inPath = parametersOf(request.path).map((name) => ({
    name: `path.${name}`,
    put: (value: unknown) => ({ ...sound, ...write(request, body, [name, textOf(value)], null, fill) }),
  }));
  return [...inBody, ...inQuery, ...inPath];
}

type Pair = readonly [name: string, value: string];

function write(
  { path, encoding }: AttackedRequest,
  body: unknown,
  parameter: Pair | null,
  query: Pair | null,
  fill: (name: string) => string,
) {
  const parameterOf = (name: string) => encode(name === parameter?.[0] ? parameter[1] : fill(name));
  const filled = path
    .replace(/\{(\w+)\}|:(\w+)/g, (_all, braced: string | undefined, colon: string | undefined) =>
      parameterOf(braced ?? colon ?? ""),
    )
    .replace(/\*$/, () => parameterOf("*"));
  const search = query === null ? "" : `?${encode(query[0])}=${encode(query[1])}`;
  return { target: filled + search, body: body === null ? null : encodeBody(body, encoding) };
}

function parametersOf(path: string): string[] {
  const named = [...path.matchAll(/\{(\w+)\}|:(\w+)/g)].map(([, braced, colon]) => braced ?? colon ?? "");
  return path.endsWith("*") ? [...named, "*"] : named;
}

/** As a careful client does, but a lone surrogate is sent as the three bytes that it would be. */
function encode(text: string): string {
  return (
    [...text]
      .map((character) =>
        /[\ud800-\udfff]/.test(character) && character.length === 1
          ? "%ED%A0%80"
          : encodeURIComponent(character),
      )
      .join("")
      // A bare dot segment is a raw target, which has a suite of its own.
      .replace(/^\.{1,2}$/, (dots) => `x${dots}`)
  );
}

function encodeBody(body: unknown, encoding: "json" | "form"): string {
  if (encoding === "json") return JSON.stringify(body);
  const entries = typeof body === "object" && body !== null ? Object.entries(body) : [];
  return entries.map(([name, value]) => `${encode(name)}=${encode(textOf(value))}`).join("&");
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

function leavesOf(value: unknown, path: readonly string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [[...path]];
  const deeper = Object.entries(value).flatMap(([key, child]) => leavesOf(child, [...path, key]));
  return path.length === 0 ? deeper : [[...path], ...deeper];
}

function replaced(value: unknown, path: readonly string[], by: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return by;
  if (Array.isArray(value)) {
    return value.map((one, index) => (String(index) === first ? replaced(one, rest, by) : one));
  }
  const known = typeof value === "object" && value !== null ? value : {};
  return Object.fromEntries(
    Object.entries(known).map(([key, child]) => [key, key === first ? replaced(child, rest, by) : child]),
  );
}
