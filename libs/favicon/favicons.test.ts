import { gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { type Answers, aSite, redirectTo } from "#libs/guarded-fetch/tests/sites.ts";
import { createFavicons } from "./favicons.ts";
import { aPage, findAt } from "./tests/find-at.ts";
import { aGif, aJpeg, anIco, aPng, aWebp } from "./tests/images.ts";

const DECLARED = aPage('<link rel="icon" href="/icon.png">');
const found = (bytes: Buffer, contentType = "image/png") => ({ kind: "found", icon: { contentType, bytes } });

it("takes the icon that the page declares, and asks for nothing more", async () => {
  const site = await aSite({ "/": DECLARED, "/icon.png": aPng(), "/favicon.ico": anIco() });

  const finding = await findAt(site.at("/"), [site]);

  expect(finding).toEqual(found(aPng()));
  expect(site.requests.map(({ url }) => url)).toEqual(["/", "/icon.png"]);
});

it("takes /favicon.ico where the page declares none, or is no page", async () => {
  const site = await aSite({ "/": aPage(""), "/image": aPng(), "/favicon.ico": anIco() });

  for (const path of ["/", "/image", "/missing"]) {
    expect(await findAt(site.at(path), [site])).toEqual(found(anIco(), "image/x-icon"));
  }
});

it("takes the best of several that can be used", async () => {
  const site = await aSite({
    "/": aPage(`
      <link rel="icon" href="/logo.svg" type="image/svg+xml" sizes="any">
      <link rel="icon" href="/16.png" sizes="16x16">
      <link rel="icon" href="/gone.png" sizes="64x64">
      <link rel="icon" href="/fake.png" sizes="96x96">
      <link rel="apple-touch-icon" href="/touch.png">
      <link rel="icon" href="/48.png" sizes="48x48">`),
    "/16.png": aPng(16),
    "/fake.png": Buffer.from("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>"),
    "/48.png": aPng(48),
    "/touch.png": aPng(180),
    "/logo.svg": Buffer.from("<svg/>"),
  });

  const finding = await findAt(site.at("/"), [site]);

  expect(finding).toEqual(found(aPng(48)));
  expect(site.requests.map(({ url }) => url)).toEqual(["/", "/gone.png", "/fake.png", "/48.png"]);
});

it("gives up on a page's icons after four, and still looks for /favicon.ico", async () => {
  const links = Array.from({ length: 60 }, (_, n) => `<link rel=icon href="/${n}.png">`).join("");
  const site = await aSite({ "/": aPage(links), "/favicon.ico": aGif() });

  const finding = await findAt(site.at("/"), [site]);

  expect(finding).toEqual(found(aGif(), "image/gif"));
  expect(site.requests).toHaveLength(6);
});

it.each([
  ["a PNG", aPng(), "image/png"],
  ["an ICO", anIco(), "image/x-icon"],
  ["a JPEG", aJpeg(), "image/jpeg"],
  ["a GIF", aGif(), "image/gif"],
  ["a WebP", aWebp(), "image/webp"],
])("tells %s by its bytes, whatever the server calls it", async (_what, bytes, contentType) => {
  const site = await aSite({
    "/favicon.ico": (_request, response) => void response.setHeader("content-type", "text/html").end(bytes),
  });

  expect(await findAt(site.at("/"), [site])).toEqual(found(bytes, contentType));
});

it.each<[string, Buffer]>([
  ["a page", Buffer.from("<!doctype html><script>alert(1)</script>")],
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ["nothing", Buffer.alloc(0)],
  ["a tracking pixel", aGif(1)],
  ["an image that unpacks to gigabytes", aPng(60_000)],
  ["more than 32 KiB", aPng(64, 32 * 1024 + 1)],
])("takes no icon that is %s", async (_what, bytes) => {
  const site = await aSite({ "/": DECLARED, "/icon.png": bytes });

  expect(await findAt(site.at("/"), [site])).toEqual({
    kind: "none",
    reason: `coffee.test:${site.port} has no icon that can be used`,
  });
});

it("resolves relative addresses against the page where it is after redirects, and against its base", async () => {
  const away = await aSite({
    "/shop/en/": aPage('<link rel="icon" href="../icon.png?v=2#x">'),
    "/shop/icon.png?v=2": aPng(),
    "/based": aPage('<link rel="icon" href="b.png"><base href="/assets/"><base href="/ignored/">'),
    "/assets/b.png": aPng(32),
    "/favicon.ico": anIco(),
    "/plain": aPage(""),
  });
  const site = await aSite({
    "/": redirectTo(away.at("/shop/en/", "www.coffee.test"), 301),
    "/based": redirectTo(away.at("/based", "www.coffee.test"), 308),
    "/plain": redirectTo(away.at("/plain", "www.coffee.test"), 303),
  });
  const sites = [site, away];

  expect(await findAt(site.at("/"), sites)).toEqual(found(aPng()));
  expect(await findAt(site.at("/based"), sites)).toEqual(found(aPng(32)));
  expect(await findAt(site.at("/plain"), sites)).toEqual(found(anIco(), "image/x-icon"));
});

it("says politely who is asking, asks for nothing compressed and brings nothing along", async () => {
  const site = await aSite({
    "/?page#top": DECLARED,
    "/": (_request, response) =>
      void response.writeHead(200, { "content-type": "text/html", "set-cookie": "a=b" }).end(DECLARED),
    "/icon.png": aPng(),
  });

  await findAt(site.at("/#top"), [site]);

  expect(site.requests.map(({ url }) => url)).toEqual(["/", "/icon.png"]);
  for (const { headers } of site.requests) {
    expect(headers).toEqual({
      host: `coffee.test:${site.port}`,
      accept: expect.any(String),
      "accept-encoding": "identity",
      "user-agent": "Mozilla/5.0 (compatible; PlacardFavicons/1.0; +https://ads.example.com)",
      connection: "close",
    });
  }
});

it.each([
  ["itself", { "/loop": redirectTo("/loop") }, 6],
  ["and fro", { "/loop": redirectTo("/pool"), "/pool": redirectTo("/loop") }, 6],
  ["nowhere", { "/loop": redirectTo("http://[nothing") }, 1],
])("ends a redirect to %s", async (_where, answers: Answers, requests) => {
  const site = await aSite(answers);

  const finding = await findAt(site.at("/loop"), [site]);

  expect(finding.kind).toBe("none");
  expect(site.requests).toHaveLength(requests);
});

it.each([
  [100, "/late.png"],
  [130, "/favicon.ico"],
])("finds what a page declares behind %i KiB of its head at %s", async (kibibytes, found) => {
  const site = await aSite({
    "/": aPage(`<style>${" ".repeat(kibibytes * 1024)}</style><link rel="icon" href="/late.png">`),
    "/late.png": aPng(),
    "/favicon.ico": aPng(),
  });

  await findAt(site.at("/"), [site]);

  expect(site.requests.map(({ url }) => url)).toEqual(["/", found]);
});

it("reads no further than the head of an endless page, and no more than 128 KiB of an endless head", async () => {
  let sent = 0;
  const endless =
    (start: string): Answers[string] =>
    (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).write(start);
      const more = Buffer.alloc(16_384, "<p>more</p> ");
      const pour = () => {
        while (!response.destroyed) {
          sent += more.length;
          if (!response.write(more)) return;
        }
      };
      response.on("drain", pour);
      pour();
    };
  const site = await aSite({
    "/body": endless('<head><link rel="icon" href="/icon.png"></head><body>'),
    "/head": endless('<head><link rel="icon" href="/icon.png">'),
    "/comment": endless('<link rel="icon" href="/icon.png"><!-- '),
    "/tag": endless('<link rel="icon" href="/icon.png"><link rel="'),
    "/icon.png": aPng(),
  });

  for (const path of ["/body", "/head", "/comment", "/tag"]) {
    expect(await findAt(site.at(path), [site]), path).toEqual(found(aPng()));
  }
  // What the sockets' buffers take in passing comes on top of what is read.
  expect(sent).toBeLessThan(100 * 1024 * 1024);
});

it("takes nothing compressed: a few bytes could unfold to any number", async () => {
  const bomb = gzipSync(Buffer.alloc(50 * 1024 * 1024));
  const compressed: Answers[string] = (_request, response) =>
    void response.writeHead(200, { "content-type": "text/html", "content-encoding": "gzip" }).end(bomb);
  const site = await aSite({ "/": compressed, "/declared": DECLARED, "/icon.png": compressed });
  const withIcon = await aSite({ "/": compressed, "/favicon.ico": anIco() });

  expect(await findAt(site.at("/"), [site])).toMatchObject({ kind: "none" });
  expect(await findAt(site.at("/declared"), [site])).toMatchObject({ kind: "none" });
  expect(await findAt(withIcon.at("/"), [withIcon])).toEqual(found(anIco(), "image/x-icon"));
});

it.each<[string, Answers]>([
  ["answers nothing", { "/": () => {} }],
  ["never ends its head", { "/": (_request, response) => void response.flushHeaders() }],
  [
    "sends its page in drops",
    {
      "/": (_request, response) => {
        response.writeHead(200, { "content-type": "text/html" });
        const drops = setInterval(() => response.write("<"), 20);
        response.on("close", () => clearInterval(drops));
      },
    },
  ],
  ["breaks off", { "/": (request) => void request.socket.destroy() }],
  ["speaks no HTTP", { "/": (request) => void request.socket.end("220 mail.test ESMTP\r\n") }],
  [
    "sends headers without end",
    { "/": (request) => void request.socket.write(`HTTP/1.1 200 OK\r\nx: ${"x".repeat(1e6)}`) },
  ],
  ["has an icon in drops", { "/": DECLARED, "/icon.png": (_request, response) => void response.write("x") }],
])("gives up on a site that %s, soon, and may try again", async (_what, answers) => {
  const site = await aSite(answers);

  const finding = await findAt(site.at("/"), [site], { requestMs: 150 });

  expect(finding).toEqual({ kind: "unreachable", reason: expect.any(String) });
});

it("has nothing to say to a site that speaks another protocol", async () => {
  const upgrade = "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n";
  const site = await aSite({ "/": (request) => void request.socket.write(upgrade) });

  expect(await findAt(site.at("/"), [site])).toEqual({
    kind: "none",
    reason: expect.stringContaining("another protocol"),
  });
});

it("takes a later icon when an earlier one is too slow", async () => {
  const site = await aSite({ "/": DECLARED, "/icon.png": () => {}, "/favicon.ico": anIco() });

  expect(await findAt(site.at("/"), [site], { requestMs: 150 })).toEqual(found(anIco(), "image/x-icon"));
});

it("bounds the time in all, however the site divides it", async () => {
  const links = [1, 2, 3].map((n) => `<link rel=icon href="/${n}.png">`).join("");
  const site = await aSite({ "/": aPage(links), "/1.png": () => {}, "/2.png": () => {}, "/3.png": () => {} });

  const finding = await findAt(site.at("/"), [site], { requestMs: 60_000, totalMs: 150 });

  expect(finding).toEqual({ kind: "unreachable", reason: `coffee.test:${site.port} took over 150 ms` });
  expect(site.requests).toHaveLength(2);
});

it.each([500, 503, 429])(
  "may try again where a site answers %i for now, and not where it has none",
  async (status) => {
    const failing: Answers[string] = (_request, response) => void response.writeHead(status).end();
    const page = await aSite({ "/": failing });
    const icon = await aSite({ "/": DECLARED, "/icon.png": failing });

    expect(await findAt(page.at("/"), [page])).toMatchObject({ kind: "unreachable" });
    expect(await findAt(icon.at("/"), [icon])).toMatchObject({ kind: "unreachable" });
  },
);

it("may try again where nothing listens, and where the name leads nowhere", async () => {
  const site = await aSite({});
  const nothing = await findAt(new URL("http://coffee.test:1/"), [], { network: networkOf([{ port: 1 }]) });
  const nowhere = await findAt(site.at("/"), [site], { network: networkOf([site], () => []) });

  expect([nothing.kind, nowhere.kind]).toEqual(["unreachable", "unreachable"]);
});

it("stops when the signal aborts, with its reason", async () => {
  const site = await aSite({ "/": () => {} });
  const favicons = createFavicons({ contact: site.at("/"), network: networkOf([site]) });
  const stop = new AbortController();

  const finding = favicons.find(site.at("/"), stop.signal);
  await expect.poll(site.connections).toBe(1);
  stop.abort(new Error("the process ends"));

  await expect(finding).rejects.toThrow("the process ends");
  await expect(favicons.find(site.at("/"), stop.signal)).rejects.toThrow("the process ends");
});
