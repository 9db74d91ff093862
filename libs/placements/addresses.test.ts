import { expect, it } from "vitest";
import { addressesOf } from "./addresses.ts";

const NO_UTM = { source: null, medium: null, campaign: null };
const HOSTILE_UTM = { ...NO_UTM, source: "x\r\nLocation: https://evil.example/?a&b#\u202e☕" };

it.each([
  ["another scheme", "javascript:alert(1)//https://nord.example", null],
  ["a scheme in capitals", "JavaScript:alert(1)", null],
  ["data", "data:text/html,<script>location='https://evil.example'</script>", null],
  ["a file", "file:///etc/passwd", null],
  ["no scheme", "//evil.example", null],
  ["a path", "/evil", null],
  ["no slashes", "https:evil.example", null],
  ["one slash", "https:/evil.example", null],
  ["three slashes", "https:///evil.example", null],
  ["backslashes", "https:\\\\evil.example", null],
  ["a tab in the scheme", "java\tscript:alert(1)", null],
  ["a line break in front", "\nhttps://nord.example", null],
  ["a line break inside", "https://nord.example/\r\nLocation: https://evil.example", null],
  ["a vertical tab", "https://nord.example/\u000bx", null],
  ["a space", "https://nord.example/ x", null],
  ["nothing", "", null],
  ["a host that is none", "https://a*b.example", null],
  ["a user name that looks like a host", "https://nord.example@evil.example/", null],
  [
    "a backslash before an at sign",
    "https://nord.example\\@evil.example",
    "https://nord.example/@evil.example",
  ],
  [
    "a question mark before an at sign",
    "https://nord.example?@evil.example",
    "https://nord.example/?@evil.example",
  ],
  ["parents", "https://nord.example/a/../../b", "https://nord.example/b"],
  ["an encoded line break", "https://nord.example/%0d%0aLocation:x", "https://nord.example/%0d%0aLocation:x"],
  [
    "an address in its query",
    "https://nord.example/?to=//evil.example",
    "https://nord.example/?to=//evil.example",
  ],
  ["a host in another script", "https://\u043d\u043e\u0440\u0434.example", "https://xn--d1ardi.example/"],
  ["full-width letters", "https://\uff4e\uff4f\uff52\uff44.example", "https://nord.example/"],
  ["punycode", "https://xn--mnchen-3ya.example/", "https://xn--mnchen-3ya.example/"],
  ["a number for a host", "http://2130706433/", "http://127.0.0.1/"],
  ["direction marks", "https://nord.example/\u202etxt.exe", "https://nord.example/%E2%80%AEtxt.exe"],
  ["quotes and angle brackets", "https://nord.example/\"<b>'", "https://nord.example/%22%3Cb%3E'"],
  ["a fragment", "https://nord.example/#/x?utm_source=y", "https://nord.example/#/x?utm_source=y"],
  ["upper case", "HTTPS://NORD.example/A", "https://nord.example/A"],
])(
  "leads clicks to a well-formed address with an ASCII host, or nowhere: %s",
  (_name, website_url, clickUrl) => {
    const row = { status: "Approved", name: "Nord", tier: "Gold", website_url, erased_at: null } as const;

    const withUtm = addressesOf(row, HOSTILE_UTM).clickUrl;

    expect(addressesOf(row, NO_UTM).clickUrl).toBe(clickUrl);
    if (clickUrl === null) return expect(withUtm).toBeNull();
    expect(withUtm).toMatch(/^https?:\/\/[!-~]+$/);
    const { host, pathname, hash } = new URL(clickUrl);
    expect(new URL(withUtm ?? "")).toMatchObject({ host, pathname, hash });
  },
);
