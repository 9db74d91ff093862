import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { publicInternet } from "#libs/guarded-fetch/index.ts";
import { networkOf } from "#libs/guarded-fetch/tests/network.ts";
import { NOT_PUBLIC } from "#libs/guarded-fetch/tests/not-public.ts";
import { aSite, redirectTo } from "#libs/guarded-fetch/tests/sites.ts";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { aPage, findAt } from "./tests/find-at.ts";
import { aPng } from "./tests/images.ts";

const REFUSED = /not fetched|no name of the public internet|no address$/;

/** The ways in which people write loopback, and worse; `PORT` is where something listens that must not hear of it. */
const HIDDEN_FORMS = [
  "http://127.0.0.1:PORT/",
  "http://127.1:PORT/",
  "http://127.0.1:PORT/",
  "http://0:PORT/",
  "http://2130706433:PORT/",
  "http://0x7f000001:PORT/",
  "http://0x7f.0.0.1:PORT/",
  "http://0177.0.0.1:PORT/",
  "http://017700000001:PORT/",
  "http://127.0.0.1.:PORT/",
  "http://①②⑦.⓪.⓪.①:PORT/",
  "http://127。0。0。1:PORT/",
  "http://%31%32%37.0.0.1:PORT/",
  "http://[::1]:PORT/",
  "http://[0:0:0:0:0:0:0:1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://[::ffff:7f00:1]:PORT/",
  "http://[::127.0.0.1]:PORT/",
  "http://[64:ff9b::127.0.0.1]:PORT/",
  "http://[2002:7f00:1::]:PORT/",
  "http://inside.test:PORT/",
  "http://INSIDE.test.:PORT/",
  "http://mixed.test:PORT/",
  "http://user@coffee.test:SITE/favicon.ico",
  "http://user:secret@coffee.test:SITE/favicon.ico",
  "ftp://coffee.test:SITE/favicon.ico",
  "file:///etc/passwd",
  "gopher://127.0.0.1:PORT/",
];
const BY_NUMBER = NOT_PUBLIC.filter(([address]) => !address.includes("%")).map(
  ([address]) => `http://${address.includes(":") ? `[${address}]` : address}:PORT/`,
);
const FORBIDDEN = [...HIDDEN_FORMS, ...BY_NUMBER];

/** A site that redirects to, or declares as its icon, what must not be fetched; and what would be found there. */
async function aTrap(form: string) {
  const inside = await aSite({ "/": aPng(), "/favicon.ico": aPng() });
  let forbidden = "";
  const site = await aSite({
    "/redirects": (request, response) => redirectTo(inAscii(forbidden))(request, response),
    "/declares": (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html" })
        .end(aPage(`<link rel=icon href="${forbidden}"><link rel=icon sizes=16x16 href="/moved.png">`));
    },
    "/moved.png": (request, response) => redirectTo(inAscii(forbidden))(request, response),
    "/favicon.ico": (request, response) => redirectTo(inAscii(forbidden), 307)(request, response),
  });
  const inAscii = (text: string) => (/^[ -~]*$/.test(text) ? text : new URL(text).href);
  forbidden = form.replace("PORT", String(inside.port)).replace("SITE", String(site.port));
  const network = networkOf([site], (host) => {
    if (/^inside\.test/i.test(host)) return ["127.0.0.1"];
    return host === "mixed.test" ? ["8.8.8.8", "127.0.0.1"] : ["127.0.0.1"];
  });
  return { inside, site, forbidden, network };
}

it.each(FORBIDDEN)("fetches nothing from %s, asked for, redirected to or declared", async (form) => {
  const { inside, site, forbidden, network } = await aTrap(form);

  const asked = await findAt(new URL(forbidden), [site], { network });
  const redirected = await findAt(site.at("/redirects"), [site], { network });
  const declared = await findAt(site.at("/declares"), [site], { network });

  expect(asked).toEqual({ kind: "none", reason: expect.stringMatching(REFUSED) });
  expect(redirected).toEqual({ kind: "none", reason: expect.stringMatching(REFUSED) });
  expect(declared).toEqual({ kind: "none", reason: `coffee.test:${site.port} has no icon that can be used` });
  expect(inside.connections()).toBe(0);
  const honest: readonly string[] = ["/redirects", "/declares", "/moved.png", "/favicon.ico"];
  expect(site.requests.filter(({ url }) => !honest.includes(url))).toEqual([]);
});

it("connects to the address that was checked, and checks again at a redirect, when a name changes its mind", async () => {
  const inside = await aSite({ "/": aPage(""), "/favicon.ico": aPng(16) }, "127.0.0.2");
  const asked: string[] = [];
  // First the address of the site, from then on that of what is inside; both on the same port.
  const site = await aSite({ "/": redirectTo("/again"), "/again": aPage("") }, "127.0.0.1", inside.port);
  const network = networkOf([site], (host) => {
    asked.push(host);
    return [asked.length === 1 ? "127.0.0.1" : "127.0.0.2"];
  });

  const finding = await findAt(site.at("/", "rebinding.test"), [site], { network });

  expect(finding).toEqual({
    kind: "none",
    reason: expect.stringContaining("rebinding.test leads to 127.0.0.2"),
  });
  expect(asked).toEqual(["rebinding.test", "rebinding.test"]);
  expect(site.requests.map(({ url }) => url)).toEqual(["/"]);
  expect(inside.connections()).toBe(0);
});

it("asks for a name once a request: what it answers later leads nowhere", async () => {
  const inside = await aSite({ "/": aPage(""), "/favicon.ico": aPng(16) }, "127.0.0.2");
  const site = await aSite({ "/": aPage(""), "/favicon.ico": aPng(64) }, "127.0.0.1", inside.port);
  let turn = 0;
  const network = networkOf([site], () => {
    turn += 1;
    return turn <= 2 ? ["127.0.0.1"] : ["127.0.0.2"];
  });

  const finding = await findAt(site.at("/", "rebinding.test"), [site], { network });

  expect(finding).toMatchObject({ kind: "found", icon: { bytes: aPng(64) } });
  expect([turn, inside.connections()]).toEqual([2, 0]);
});

it("pins encrypted connections as well, and names the host in them", async () => {
  const greetings: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (greeting) => {
      greetings.push(greeting);
      socket.destroy();
    });
  });
  const port = await listenOnLoopback(server);
  onTestFinished(() => void server.close());

  const finding = await findAt(new URL(`https://coffee.test:${port}/`), [], {
    network: networkOf([{ port }]),
  });

  expect(finding.kind).toBe("unreachable");
  expect(greetings).toHaveLength(1);
  expect([greetings[0]?.[0], greetings[0]?.includes("coffee.test")]).toEqual([0x16, true]);
});

it("keeps to the ports of the web and to names of the public internet when nothing else is injected", async () => {
  const inside = await aSite({ "/": aPage(""), "/favicon.ico": aPng() });

  for (const address of [
    `http://127.0.0.1:${inside.port}/`,
    `http://localhost:${inside.port}/`,
    "http://localhost/",
    "http://coffee.example/",
    "http://1.1.1.1:8080/",
    "https://1.1.1.1:22/",
  ]) {
    const finding = await findAt(new URL(address), [], { network: publicInternet });
    expect(finding, address).toEqual({ kind: "none", reason: expect.stringMatching(REFUSED) });
  }
  expect(inside.connections()).toBe(0);
});

it("goes through no proxy that the environment names", async () => {
  const proxy = await aSite({});
  const site = await aSite({ "/": aPage(""), "/favicon.ico": aPng() });
  const named = `http://127.0.0.1:${proxy.port}`;

  const { stdout } = await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL("./tests/find-once.ts", import.meta.url)), site.at("/").href],
    { env: { NODE_USE_ENV_PROXY: "1", HTTP_PROXY: named, http_proxy: named, HTTPS_PROXY: named } },
  );

  expect(stdout).toBe("found");
  expect([proxy.connections(), site.connections()]).toEqual([0, 2]);
});
