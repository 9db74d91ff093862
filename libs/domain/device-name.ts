/** The first whose word is in the user agent: most browsers also name the ones that they imitate. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser", "Samsung Internet"],
  ["Firefox", "Firefox"],
  ["FxiOS", "Firefox"],
  ["CriOS", "Chrome"],
  ["Chrome", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Android", "Android"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** `Firefox on Windows`, from a user agent: enough for its owner to recognize it. Null for one that names neither. */
export function deviceName(userAgent: string): string | null {
  const [, browser] = BROWSERS.find(([word]) => userAgent.includes(word)) ?? [];
  const [, system] = SYSTEMS.find(([word]) => userAgent.includes(word)) ?? [];
  if (browser === undefined) return system ?? null;
  return system === undefined ? browser : `${browser} on ${system}`;
}
