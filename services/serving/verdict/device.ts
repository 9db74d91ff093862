import Bowser from "bowser";
import { LRUCache } from "lru-cache";
import type { Device, EventPlace } from "#libs/domain/event-place.ts";

type Client = Pick<EventPlace, "device" | "browser">;

const MAX_USER_AGENTS = 5_000;
/** Naming one takes some 20 µs, and visitors of the same pages have the same few. */
const clients = new LRUCache<string, Client>({ max: MAX_USER_AGENTS });
const NOBODY: Client = { device: "unknown", browser: "" };
const DEVICES: ReadonlyMap<string, Device> = new Map([
  ["desktop", "desktop"],
  ["mobile", "phone"],
  ["tablet", "tablet"],
]);
/** Bowser takes other names as they are sent, and so would anybody's words come into reports. */
const BROWSERS: ReadonlySet<string> = new Set(Object.values(Bowser.BROWSER_MAP));

/** The device and the browser's family that a user agent names, cut as `userAgentOf` does; "" is nobody's. */
export function clientOf(userAgent: string): Client {
  if (userAgent === "") return NOBODY;
  const known = clients.get(userAgent);
  if (known !== undefined) return known;
  const parser = Bowser.getParser(userAgent, true);
  const browser = parser.getBrowserName();
  const client: Client = {
    device: DEVICES.get(parser.getPlatformType()) ?? "other",
    browser: BROWSERS.has(browser) ? browser : "",
  };
  clients.set(userAgent, client);
  return client;
}
