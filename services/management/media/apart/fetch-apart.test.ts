import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { expect, it, onTestFinished, vi } from "vitest";
import { aPng } from "#libs/favicon/tests/images.ts";
import { fetchApart } from "./fetch-apart.ts";

const PNG = aPng();

async function aSite(answer: RequestListener) {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return (path: string) => new URL(path, `http://site.test:${port}`);
}

function open(options: { readonly thread?: URL; readonly answersWithinMs?: number } = {}) {
  const warnings: string[] = [];
  const fetching = fetchApart({
    contact: "https://ads.example.com",
    maxImageBytes: 1_000,
    thread: new URL("./tests/thread-of-this-machine.ts", import.meta.url),
    onWarning: (message) => warnings.push(message),
    ...options,
  });
  onTestFinished(() => fetching.close());
  return { ...fetching, warnings };
}

const { signal } = new AbortController();

it("finds icons and images by a thread", async () => {
  const { favicons, images } = open();
  const at = await aSite(({ url }, response) => {
    if (url === "/") response.writeHead(404).end();
    else response.end(PNG);
  });

  const [icon, image] = await Promise.all([
    favicons.find(at("/"), signal),
    images.fetch(at("/logo.png"), signal),
  ]);

  expect(icon).toEqual({ kind: "found", icon: { contentType: "image/png", bytes: PNG } });
  expect(image).toEqual({ kind: "found", contentType: "image/png", bytes: PNG });
});

it("gives up on a thread that a site keeps busy, leaves this one alone meanwhile, and starts another", async () => {
  const { favicons, images, warnings } = open({ answersWithinMs: 6_000 });
  const at = await aSite((_request, response) => response.end(PNG));
  let rounds = 0;
  const count = setInterval(() => {
    rounds += 1;
  }, 10);
  onTestFinished(() => clearInterval(count));

  const busy = await favicons.find(new URL("http://busy.test/"), signal);
  const meanwhile = rounds;
  const next = await images.fetch(at("/logo.png"), signal);

  expect(busy).toEqual({ kind: "unreachable", reason: "The site took too long to process." });
  expect(meanwhile).toBeGreaterThan(5);
  expect(next.kind).toBe("found");
  expect(warnings).toEqual([expect.stringContaining("has not answered for 6000 ms")]);
});

it("leaves a thread alone that has answered", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { images, warnings } = open();
  const at = await aSite((_request, response) => response.end(PNG));

  const found = await images.fetch(at("/logo.png"), signal);
  vi.advanceTimersByTime(60_000);

  expect(found.kind).toBe("found");
  expect(warnings).toEqual([]);
});

it("says why a thread has failed, and gives up on what it was asked", async () => {
  const thread = new URL('data:text/javascript,throw new Error("no room")');
  const { images, warnings } = open({ thread });

  const finding = await images.fetch(new URL("http://site.test/"), signal);

  expect(finding.kind).toBe("unreachable");
  expect(warnings).toEqual([expect.stringContaining("has failed: no room.")]);
});

// A fetch ends itself after 15 s.
it("stops what is asked with its own reason", { timeout: 10_000 }, async () => {
  const { images } = open();
  const arrived = Promise.withResolvers<IncomingMessage>();
  const at = await aSite((request) => arrived.resolve(request));
  const stop = new AbortController();

  const asked = images.fetch(at("/logo.png"), stop.signal);
  const left = once((await arrived.promise).socket, "close");
  stop.abort(new Error("the service stops"));

  await expect(asked).rejects.toThrow("the service stops");
  await left;
});

it("reaches the public internet alone unless a test says otherwise", async () => {
  const fetching = fetchApart({
    contact: "https://ads.example.com",
    maxImageBytes: 1_000,
    onWarning: (message) => expect.unreachable(message),
  });
  onTestFinished(() => fetching.close());
  const at = await aSite((_request, response) => response.end(PNG));
  const inside = at("/logo.png");
  inside.hostname = "127.0.0.1";

  expect(await fetching.images.fetch(inside, signal)).toEqual({
    kind: "unusable",
    reason: "Its address does not lead to a file on the public internet.",
  });
  expect((await fetching.favicons.find(inside, signal)).kind).toBe("none");
});
