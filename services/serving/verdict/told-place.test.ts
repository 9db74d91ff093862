import { expect, it } from "vitest";
import { countryOf, NOTHING_TOLD, placeOfReport, placeOfRequest } from "./told-place.ts";

const EVENT = "/v1/ads/ad_1/impressions";

/** What a request with this query and `Referer` header tells. */
function toldBy(query: Readonly<Record<string, string>> | string, referer?: string) {
  const text = typeof query === "string" ? query : String(new URLSearchParams(query));
  return placeOfRequest({ url: `${EVENT}?${text}`, headers: { ...(referer && { referer }) } }, "");
}

it("reads placement, path and referring host of what the embed sends", () => {
  const told = toldBy({
    placement: "side bar",
    page: "https://site.example/news/today",
    referrer: "search.example",
  });

  expect(told).toEqual({
    placement: "side bar",
    path: "/news/today",
    referrer: "search.example",
    country: "",
  });
});

it("takes the texts of a body rather than those of the address", () => {
  const request = { url: `${EVENT}?placement=address`, headers: {} };

  expect(placeOfRequest(request, "DE", { placement: "body", page: "/a" })).toEqual({
    placement: "body",
    path: "/a",
    referrer: "",
    country: "DE",
  });
});

it.each([
  ["https://site.example/a?token=1#b", "/a"],
  ["https://site.example", "/"],
  ["/a?x", "/a"],
  ["/a;jsessionid=1F2E/b;v=1", "/a/b"],
  ["https://site.example/caf%C3%A9/%E4%BD%A0", "/café/你"],
  ["https://site.example/%zz", "/%zz"],
  ["https://site.example/a\u202Eb\u0000c", "/abc"],
  ["https://user:password@site.example/a", "/a"],
  [`/${"x".repeat(300)}`, `/${"x".repeat(199)}`],
  ["file:///home/somebody/page.html", ""],
  ["about:blank", ""],
  ["news", ""],
])("keeps of the page %s the path %s", (page, path) => {
  expect(toldBy({ page }).path).toBe(path);
});

it.each([
  ["the Referer header without a page", "", "https://site.example/from?x", "/from"],
  [
    "nothing of an origin alone, which is all that browsers tell other sites",
    "",
    "https://site.example/",
    "",
  ],
  ["the page rather than the Referer header", "page=/", "https://site.example/from", "/"],
])("takes the path of %s", (_what, query, referer, path) => {
  expect(toldBy(query, referer).path).toBe(path);
});

it.each([
  ["https://Search.Example:8443/find?q=secret", "search.example"],
  ["search.example", "search.example"],
  ["site.example", ""],
  ["https://site.example/other", ""],
  ["not a host", ""],
  [`${"a".repeat(101)}`, ""],
])("keeps of the referrer %s the host %s", (referrer, host) => {
  expect(toldBy({ page: "https://site.example/a", referrer }).referrer).toBe(host);
});

it.each([
  ["placement=top+banner%20%26", "top banner &"],
  ["placement=%E4%BD%A0", "你"],
  ["placement=%zz%", "%zz%"],
  ["placement=%E4%BD", ""],
  ["placement=a&placement=b", "a"],
  ["xplacement=a", ""],
  ["placement[]=a", ""],
  [`placement=${"x".repeat(61)}`, "x".repeat(60)],
  [`placement=${encodeURIComponent("👩‍🚀".repeat(40))}`, "👩🚀".repeat(30)],
  ["placement=%22%5C%0A", '"\\'],
])("reads the placement of ?%s", (query, placement) => {
  expect(toldBy(query).placement).toBe(placement);
});

it("tells requests apart by all that they say, whatever was read before", () => {
  const proof = `&proof=${"a".repeat(22)}`;
  const read = (query: string, country = "", referer?: string) =>
    placeOfRequest({ url: `${EVENT}?${query}`, headers: { ...(referer && { referer }) } }, country);

  expect(read(`placement=a${proof}`, "DE")).toEqual({ ...NOTHING_TOLD, placement: "a", country: "DE" });
  expect(read(`placement=a${proof}`, "FR")).toEqual({ ...NOTHING_TOLD, placement: "a", country: "FR" });
  expect(read("placement=a", "", "https://site.example/b")).toMatchObject({ placement: "a", path: "/b" });
  expect(read(`placement=a${proof}&page=/c`)).toMatchObject({ placement: "a", path: "/c" });
  expect(read("placement=a")).toEqual({ ...NOTHING_TOLD, placement: "a" });
});

it("reads nothing of a request that tells nothing", () => {
  expect(placeOfRequest({ url: EVENT, headers: {} }, "")).toEqual(NOTHING_TOLD);
});

it.each([
  ["de", "DE"],
  ["XX", ""],
  ["T1", ""],
  ["DEU", ""],
  [["DE", "FR"], ""],
  [undefined, ""],
])("takes %j for the country %j", (given, country) => {
  expect(countryOf(given)).toBe(country);
});

it("keeps of a server's event what a visitor's may have", () => {
  const told = placeOfReport({ placement: " mail ", path: "https://site.example/a?b", country: "fr" });

  expect(told).toEqual({ placement: "mail", path: "/a", referrer: "", country: "FR" });
});

it.each(["+", "%", "%2B", ";", "/", "%00", "%F0%9F", "\\", '"', "\u202e"])(
  "reads sixteen kilobytes of %j in each place in some milliseconds",
  (unit) => {
    const long = unit.repeat(16_000);
    const request = {
      url: `${EVENT}?placement=${long}&page=/${long}&referrer=${long}`,
      headers: { referer: `https://site.example/${long}` },
    };
    const began = performance.now();

    for (let time = 0; time < 20; time += 1) {
      const { placement, path } = placeOfRequest(request, "", { page: `/${long}`, referrer: long });
      expect([placement.length <= 120, path.length <= 400]).toEqual([true, true]);
    }

    expect((performance.now() - began) / 20).toBeLessThan(10);
  },
);
