import { createServer, type Server } from "node:http";
import { afterAll, beforeAll, expect, it } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { expectAccessible, expectNoOverflow, openPage } from "../index.ts";

const STRICT =
  "default-src 'none'; img-src data:; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self' http://127.0.0.1:1";
const PAGES: Readonly<Record<string, string>> = {
  "/fine": "<main><h1>All is well</h1></main>",
  "/faint": "<main><h1>Faint</h1><p style='color: #ccc'>as good as nothing</p></main>",
  "/faint-in-the-dark":
    "<style>@media (prefers-color-scheme: dark) { body { background: #111 } }</style><main><h1 style='color: #333'>Dark</h1></main>",
  "/wide": "<main><h1>Wide</h1><div id='culprit' style='width: 500px'>too wide</div></main>",
  "/inline": "<main><h1>Inline</h1><script>document.title = 'ran'</script></main>",
};

let server: Server;
let origin = "";
let agents: (string | undefined)[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    agents.push(request.headers["user-agent"]);
    const body = PAGES[request.url ?? ""];
    response.writeHead(body === undefined ? 404 : 200, {
      "content-type": "text/html",
      "content-security-policy": STRICT,
    });
    response.end(
      `<!doctype html><html lang="en"><head><title>Page</title><link rel="icon" href="data:,"></head><body>${body}`,
    );
  });
  origin = `http://127.0.0.1:${await listenOnLoopback(server)}`;
});
afterAll(() => server.close());

it("finds nothing wrong with a page that is fine, whatever its CSP", async () => {
  const { page, problems } = await openPage(origin);

  await page.goto("/fine");

  await expectAccessible(page);
  for (const width of [360, 768, 1440]) await expectNoOverflow(page, width);
  expect(problems).toEqual([]);
});

it("is not identified as a bot by its user agent", async () => {
  agents = [];
  const { page } = await openPage(origin);

  await page.goto("/fine");
  await page.evaluate(() => navigator.sendBeacon("/fine"));

  await expect.poll(() => agents.length).toBe(2);
  expect(new Set(agents).size).toBe(1);
  expect(agents[0]).toMatch(/ Chrome\/\d+\.0\.0\.0 Safari\/537\.36$/);
});

it.each([
  ["writes an error", () => console.error("it broke"), /console error: it broke/],
  ["writes a warning", () => console.warn("it may break"), /console warning: it may break/],
  [
    "throws",
    () => {
      setTimeout(() => {
        throw new Error("thrown later");
      });
    },
    /thrown: Error: thrown later/,
  ],
  ["requests a missing file", () => fetch("/missing"), /console error: .*404/],
  [
    "requests another host",
    () => fetch("http://127.0.0.1:1/").catch(() => {}),
    /third party: GET http:\/\/127\.0\.0\.1:1\//,
  ],
  [
    "sets what its CSP does not allow",
    () => {
      document.body.append(Object.assign(new Image(), { src: "/picture.png" }));
    },
    /CSP: img-src does not allow/,
  ],
])("holds it against a page that it %s", async (_what, doIt, problem) => {
  const opened = await openPage(origin);
  await opened.page.goto("/fine");

  await opened.page.evaluate(doIt);

  await expect.poll(() => opened.problems.join("\n")).toMatch(problem);
  opened.expectProblems(/./);
});

it("sees that an inline script was refused", async () => {
  const opened = await openPage(origin);

  await opened.page.goto("/inline");

  expect(await opened.page.title()).toBe("Page");
  await expect.poll(() => opened.problems.join("\n")).toMatch(/CSP: script-src/);
  opened.expectProblems(/./);
});

it.each([
  ["/faint", /light: color-contrast/],
  ["/faint-in-the-dark", /dark: color-contrast/],
])("sees with axe what cannot be read on %s", async (path, violation) => {
  const { page } = await openPage(origin);
  await page.goto(path);

  await expect(expectAccessible(page)).rejects.toThrow(violation);
});

it("names what sticks out of a narrow page", async () => {
  const { page } = await openPage(origin);
  await page.goto("/wide");

  await expectNoOverflow(page, 768);
  await expect(expectNoOverflow(page, 360)).rejects.toThrow(/too wide/);
});
