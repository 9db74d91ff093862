import type { IncomingHttpHeaders } from "node:http";
import { expect, it } from "vitest";
import { SiteSightings } from "./site-sightings.ts";

const NOW = Date.UTC(2026, 0, 1);

/** The hosts that are noted of requests with these headers, each to a workspace of its own. */
function hostsOf(...requests: IncomingHttpHeaders[]): string[] {
  const hosts: string[] = [];
  const sightings = new SiteSightings(
    { noteSeen: ({ host }) => void hosts.push(host) },
    new URL("https://ads.heron.example/"),
  );
  for (const [index, headers] of requests.entries()) sightings.note(`ws_${index}`, headers, NOW);
  return hosts;
}

it("notes the site that a page belongs to, by its origin or else by its address", () => {
  expect(
    hostsOf(
      { origin: "https://heron.example", referer: "https://ads.heron.example/x" },
      { referer: "https://heron.example:8443/news?id=1" },
      { origin: "null", referer: "http://news.example/" },
      { origin: "https://ads.heron.example.evil.example" },
      { referer: "https://ads.heron.example.evil.example/" },
    ),
  ).toEqual([
    "heron.example",
    "heron.example:8443",
    "news.example",
    "ads.heron.example.evil.example",
    "ads.heron.example.evil.example",
  ]);
});

it("notes nothing of its own pages, in either scheme, nor of what is no page's address", () => {
  expect(
    hostsOf(
      { origin: "https://ads.heron.example" },
      { origin: "null", referer: "https://ads.heron.example/demo" },
      { referer: "https://ads.heron.example/demo" },
      { referer: "http://ads.heron.example/demo" },
      { origin: "http://ads.heron.example" },
      { origin: "null" },
      { origin: "file://x", referer: "about:blank" },
      { referer: `https://${"x".repeat(300)}.example/` },
      {},
    ),
  ).toEqual([]);
});

it("notes a workspace's site again after ten minutes only, and waits for none while its own pages ask", () => {
  const seen: number[] = [];
  const sightings = new SiteSightings(
    { noteSeen: ({ seenAt }) => void seen.push(seenAt) },
    new URL("https://ads.heron.example/"),
  );
  const site = { origin: "https://heron.example" };
  sightings.note("ws_1", { referer: "https://ads.heron.example/demo" }, NOW);
  for (const minutes of [0, 9, 10, 19]) sightings.note("ws_1", site, NOW + minutes * 60_000);

  expect(seen).toEqual([NOW, NOW + 600_000]);
});
