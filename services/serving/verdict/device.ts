import Bowser from "bowser";
import type { Device, EventPlace } from "#libs/domain/event-place.ts";

type Client = Pick<EventPlace, "device" | "browser">;

const MAX_USER_AGENTS = 5_000;
/** Visitors of the same pages have the same few. Cleared when it is full, as the verdicts of user agents are. */
const clients = new Map<string, Client>();
const NOBODY: Client = { device: "unknown", browser: "" };
const DEVICE_OF_PLATFORM: ReadonlyMap<string, Device> = new Map([
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
    device: DEVICE_OF_PLATFORM.get(parser.getPlatformType()) ?? "other",
    browser: BROWSERS.has(browser) ? browser : "",
  };
  if (clients.size >= MAX_USER_AGENTS) clients.clear();
  clients.set(userAgent, client);
  return client;
}
