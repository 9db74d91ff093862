import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { createImageFetcher } from "./fetch-image.ts";
import { networkOf } from "./tests/network.ts";
import { type Answers, aSite, redirectTo, type Site } from "./tests/sites.ts";

/** The smallest PNG there is: one pixel. */
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);
const MOST = 1_000;

async function fetchAt(address: URL, sites: readonly Site[], totalMs = 15_000) {
  const fetcher = createImageFetcher({
    contact: new URL("https://ads.example.com"),
    maxBytes: MOST,
    network: networkOf(sites),
    totalMs,
  });
  return await fetcher.fetch(address, new AbortController().signal);
}

it("takes an image for what its bytes are, whatever the site calls it, after redirects", async () => {
  const site = await aSite({
    "/logo.svg": (_request, response) => response.writeHead(200, { "content-type": "text/html" }).end(PNG),
    "/moved": redirectTo("/logo.svg"),
  });

  const finding = await fetchAt(site.at("/moved#top"), [site]);

  expect(finding).toEqual({ kind: "found", contentType: "image/png", bytes: PNG });
  expect(site.requests[0]?.headers["user-agent"]).toContain("PlacardImages/1.0; +https://ads.example.com");
});

it("gives up on a site whose chunks are tiny, and takes one whose chunks are not", async () => {
  const image = Buffer.concat([PNG], 100_000);
  const inChunks =
    (size: number): Answers[string] =>
    (_request, response) => {
      for (let from = 0; from < image.length; from += size) response.write(image.subarray(from, from + size));
      response.end();
    };
  const site = await aSite({ "/tiny": inChunks(1), "/small": inChunks(100) });
  const fetcher = createImageFetcher({
    contact: new URL("https://ads.example.com"),
    maxBytes: 1024 * 1024,
    network: networkOf([site]),
  });
  const { signal } = new AbortController();

  const [tiny, small] = [
    await fetcher.fetch(site.at("/tiny"), signal),
    await fetcher.fetch(site.at("/small"), signal),
  ];

  expect(tiny.kind).toBe("unreachable");
  expect(small).toMatchObject({ kind: "found", bytes: image });
});

it.each([
  ["/missing", "unusable", "The site answered 404."],
  ["/broken", "unreachable", "The site answered 502."],
  ["/large", "unusable", "It has more than 1000 bytes."],
  ["/page", "unusable", "It is no PNG, JPEG, WebP, GIF or AVIF image."],
  ["/drawing", "unusable", "It is no PNG, JPEG, WebP, GIF or AVIF image."],
  ["/cut", "unusable", "The image is damaged: its size cannot be read."],
  ["/packed", "unusable", "The site sent it compressed, although that was not asked for."],
  ["/inside", "unusable", "Its address does not lead to a file on the public internet."],
  ["/drops", "unreachable", "The site did not answer in time, or broke off."],
])("finds %s %s: %s", async (path, kind, reason) => {
  const site = await aSite({
    "/broken": (_request, response) => response.writeHead(502).end(),
    "/large": Buffer.concat([PNG], MOST + 1),
    "/page": "<!doctype html>",
    "/drawing": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"),
    "/cut": PNG.subarray(0, 20),
    "/packed": (_request, response) =>
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(PNG)),
    "/inside": redirectTo("http://10.0.0.1/logo.png"),
    "/drops": (request) => request.socket.destroy(),
  });

  expect(await fetchAt(site.at(path), [site])).toEqual({ kind, reason });
});

it("gives up on a site that sends one interim answer after the other", async () => {
  const site = await aSite({
    "/few": (_request, response) => {
      for (let sent = 0; sent < 3; sent += 1) response.writeProcessing();
      response.end(PNG);
    },
    "/many": (_request, response) => {
      for (let sent = 0; sent < 100; sent += 1) response.writeProcessing();
      response.end(PNG);
    },
  });

  expect((await fetchAt(site.at("/few"), [site])).kind).toBe("found");
  expect((await fetchAt(site.at("/many"), [site])).kind).toBe("unreachable");
});

it("gives up on a site that sends nothing, and on one that never ends", async () => {
  const site = await aSite({
    "/silent": () => {},
    "/slow": (_request, response) => response.writeHead(200).write(PNG.subarray(0, 8)),
  });

  for (const path of ["/silent", "/slow"]) {
    expect((await fetchAt(site.at(path), [site], 200)).kind, path).toBe("unreachable");
  }
});
