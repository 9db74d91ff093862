import fc from "fast-check";
import { expect, it } from "vitest";
import { type DeclaredIcon, readDeclaredIcons } from "./declared-icons.ts";

const PAGE = new URL("https://coffee.example/shop/index.html");

async function declaredIn(page: string | readonly Buffer[], maxBytes = 100_000): Promise<DeclaredIcon[]> {
  const chunks = typeof page === "string" ? [Buffer.from(page)] : page;
  const body = (async function* () {
    yield* chunks;
  })();
  return await readDeclaredIcons(body, { url: PAGE, maxBytes });
}

async function addressesIn(page: string): Promise<string[]> {
  return (await declaredIn(page)).map(({ url }) => url.href);
}

it("reads what a page says of its icons", async () => {
  const icons = await declaredIn(`
    <link rel="shortcut icon" href="/favicon.ico" type="image/x-icon" sizes="16x16 32X32">
    <LINK REL="Icon" HREF="https://cdn.example/a.png?x=1&amp;y=2" TYPE="IMAGE/PNG " media="(prefers-color-scheme: dark)">
    <link rel="apple-touch-icon-precomposed" sizes="any" href=touch.png>`);

  const usual = { kind: "icon", size: null, type: null, isForDark: false };
  expect(icons).toEqual([
    { ...usual, url: new URL("https://coffee.example/favicon.ico"), type: "image/x-icon", size: 32 },
    { ...usual, url: new URL("https://cdn.example/a.png?x=1&y=2"), type: "image/png", isForDark: true },
    { ...usual, url: new URL("https://coffee.example/shop/touch.png"), kind: "touch" },
  ]);
});

it.each([
  ["another relation", '<link rel="stylesheet" href="/a.css"><link rel="mask-icon" href="/a.svg">'],
  ["no address", '<link rel="icon"><link rel="icon" href="">'],
  ["no relation", '<link href="/a.png">'],
  [
    "an address of another kind",
    '<link rel="icon" href="data:image/png;base64,AAAA"><link rel=icon href="javascript:x">',
  ],
  ["what is no address", '<link rel="icon" href="http://[nothing">'],
  ["a comment", '<!-- <link rel="icon" href="/a.png"> -->'],
  ["a script", `<script>document.write('<link rel="icon" href="/a.png">')</script>`],
  ["a title", '<title><link rel="icon" href="/a.png"></title>'],
  ["the body", '<body><link rel="icon" href="/a.png">'],
  ["what follows the head", '<head></head><link rel="icon" href="/a.png">'],
])("takes no icon from %s", async (_what, page) => {
  expect(await declaredIn(page)).toEqual([]);
});

it.each([
  [
    "nothing closed",
    '<html><head><title>Coffee</title><link rel=icon href=/a.png<p><link rel=icon href="/b.png"',
  ],
  ["no head and no quotes", "<link rel=icon href=/a.png>"],
  ["noise", '<<<>>< <link <link/rel="icon"/href="/a.png"/> &#xffffffff; <!doctype>'],
])("makes do with a page that has %s", async (_what, page) => {
  expect((await addressesIn(page))[0]).toMatch(/^https:\/\/coffee\.example\/a\.png/);
});

it.each([
  ["/assets/", "https://coffee.example/assets/a.png"],
  ["assets/page", "https://coffee.example/shop/assets/a.png"],
  ["//cdn.example", "https://cdn.example/a.png"],
  ["javascript:alert(1)//", "https://coffee.example/shop/a.png"],
  ["http://[nothing", "https://coffee.example/shop/a.png"],
])("resolves against the base %s", async (base, expected) => {
  expect(await addressesIn(`<link rel="icon" href="a.png"><base href="${base}">`)).toEqual([expected]);
});

it("reads the same whatever the pieces in which a page comes", async () => {
  const page = Buffer.from(
    '<title>Kaffee – größer</title><base href="/é/"><link rel="icon" href="ü.png" sizes="16x16">',
  );
  const whole = await declaredIn([page]);

  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(page.length), { maxLength: 20 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), page.length];
      const pieces = edges.slice(1).map((edge, index) => page.subarray(edges[index], edge));
      expect(await declaredIn(pieces)).toEqual(whole);
    }),
  );
  expect(whole.map(({ url }) => url.href)).toEqual(["https://coffee.example/%C3%A9/%C3%BC.png"]);
});

it("reads no deeper than a head goes: each tag that is open makes the next one slower", async () => {
  const link = '<link rel="icon" href="/a.png">';
  const pieces = Array.from({ length: 8 }, () => Buffer.from("<div>".repeat(8_000)));

  expect(await declaredIn([...pieces, Buffer.from(`${"</p>".repeat(50_000)}${link}`)], 1e6)).toEqual([]);
  expect(await declaredIn(`${"<div>".repeat(60)}${link}`)).toHaveLength(1);
  expect(await declaredIn(`${"<meta><br><p></p>".repeat(500)}${link}`)).toHaveLength(1);
});

it("reads no more bytes than it may, and no more links than a page has a use for", async () => {
  const link = '<link rel="icon" href="/a.png">';

  expect(await declaredIn(`${" ".repeat(100)}${link}`, 100)).toEqual([]);
  expect(await declaredIn(`${link}${link}`, link.length)).toHaveLength(1);
  expect(await declaredIn(link.repeat(500))).toHaveLength(50);
});
