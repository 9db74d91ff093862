import { expect, it } from "vitest";
import { clientOf } from "./device.ts";

it.each([
  [
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    { device: "desktop", browser: "Chrome" },
  ],
  [
    "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
    { device: "desktop", browser: "Firefox" },
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    { device: "phone", browser: "Safari" },
  ],
  [
    "Mozilla/5.0 (Linux; Android 13; SM-X700) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
    { device: "tablet", browser: "Chrome" },
  ],
  [
    "Mozilla/5.0 (SMART-TV; Linux; Tizen 5.0) AppleWebKit/537.36 (KHTML, like Gecko) Version/5.0 TV Safari/537.36",
    { device: "other", browser: "Tizen" },
  ],
  ["anybody's words/1.0 (and more)", { device: "other", browser: "" }],
  ["", { device: "unknown", browser: "" }],
])("names device and browser of %s", (userAgent, client) => {
  expect(clientOf(userAgent)).toEqual(client);
});
