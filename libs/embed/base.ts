/** Where the API is below: `origin` where it is given, else next to the script at `source`. Ends in a slash. */
export function baseOf(origin: string | URL | undefined, source: string): string {
  const base = origin === undefined ? new URL(".", source) : new URL(origin);
  if (!/^https?:$/.test(base.protocol)) throw new Error("Placard needs its origin.");
  return base.origin + base.pathname.replace(/\/?$/, "/");
}
