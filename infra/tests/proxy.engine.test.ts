import { createServer, type RequestListener } from "node:http";
import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { processEnvironment } from "#libs/config/environment.ts";
import { newId } from "#libs/domain/ids.ts";
import { freePort, listenOnLoopback } from "#libs/process/ports.ts";
import { answerToTarget } from "#libs/testing/raw-target.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { Program } from "../native/program.ts";

const TARGET = "https://northwind.example/";
const LINK = `/v1/ads/${newId("ad")}/click`;

/** A process that answers as it is told; returns where it is and what it was asked. */
async function aProcess(answer: RequestListener) {
  const asked: string[] = [];
  const forwarded: unknown[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    forwarded.push(request.headers["x-forwarded-for"]);
    answer(request, response);
  });
  const host = `127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host, asked, forwarded };
}

/** The proxy in front of those processes of serving. */
async function aProxy(...serving: readonly { readonly host: string }[]): Promise<string> {
  return await aProxyBehind("", ...serving);
}

/** The proxy behind those networks, in front of those processes. */
async function aProxyBehind(trusted: string, ...serving: readonly { readonly host: string }[]) {
  const folder = await aFolder();
  const management = await aProcess((_request, response) => response.end());
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const proxy = new Program({
    name: "nginx",
    command: ["infra/native/run/nginx"],
    environment: {
      PORT: String(port),
      FOLDER: folder,
      SERVING: serving.map(({ host }) => host).join(" "),
      MANAGEMENT: management.host,
      PROXY_TRUSTED: trusted,
      NGINX_BINARY: processEnvironment().NGINX_BINARY ?? "",
    },
    isUp: async () => (await fetch(`${origin}/v1/openapi.json`)).ok,
  });
  onTestFinished(() => proxy.cleanUp());
  await proxy.start();
  return origin;
}

const leadsTo = (target: string) =>
  aProcess((_request, response) => response.writeHead(302, { location: target }).end());

it("lets a link to the longest address through", async () => {
  // As long as an address of any script becomes when it is encoded, with the longest UTM parameters behind it.
  const target = `${TARGET}${"%F0%9F%98%80".repeat(2_030)}?utm_campaign=${"%F0%9F%98%80".repeat(300)}`;
  const origin = await aProxy(await leadsTo(target));

  const answer = await answerToTarget(origin, LINK);

  expect(answer.slice(0, 12)).toBe("HTTP/1.1 302");
  expect(/^location: *(.*)\r$/im.exec(answer)?.[1] === target).toBe(true);
});

it("leads a reader on by another process where one dies over the click, or does not answer", async () => {
  const dying = await aProcess((request) => request.socket.destroy());
  const frozen = await aProcess(() => undefined);
  for (const broken of [dying, frozen]) {
    const origin = await aProxy(broken, await leadsTo(TARGET));
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => fetch(`${origin}${LINK}`, { redirect: "manual" })),
    );

    expect(answers.map(({ status, headers }) => [status, headers.get("location")])).toEqual(
      answers.map(() => [302, TARGET]),
    );
    expect(broken.asked).toContain(`GET ${LINK}`);
  }
});

it("asks a person to try again where no process answers, in a page", async () => {
  const dying = await aProcess((request) => request.socket.destroy());
  const origin = await aProxy(dying);

  const answer = await fetch(`${origin}${LINK}`, { redirect: "manual" });

  expect([answer.status, answer.headers.get("content-type"), answer.headers.get("retry-after")]).toEqual([
    503,
    "text/html; charset=utf-8",
    "1",
  ]);
  expect(await answer.text()).toContain("<h1>Please try again</h1>");
});

it("passes on serving's own page for an ad that is gone", async () => {
  const origin = await aProxy(await aProcess((_request, response) => response.writeHead(404).end("gone")));

  const answer = await fetch(`${origin}${LINK}`);

  expect([answer.status, await answer.text()]).toEqual([404, "gone"]);
});

it("sends no click of a script to a second process", async () => {
  const dying = await aProcess((request) => request.socket.destroy());
  const origin = await aProxy(dying, dying);

  const answer = await fetch(`${origin}/v1/ads/${newId("ad")}/clicks`, { method: "POST" });

  expect([answer.status, dying.asked.length]).toEqual([503, 1]);
});

describe("limits", () => {
  /** Three times what one caller may ask management for in a burst. */
  const MANY = 600;

  async function howManyPass(origin: string, visitor: (index: number) => string): Promise<number> {
    let passed = 0;
    for (let start = 0; start < MANY; start += 50) {
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          fetch(`${origin}/v1/tiers`, { headers: { "x-forwarded-for": visitor(start + index) } }),
        ),
      );
      passed += answers.filter(({ status }) => status === 200).length;
      await Promise.all(answers.map((answer) => answer.text()));
    }
    return passed;
  }
  const everyNetwork = (index: number) => `198.51.${100 + Math.floor(index / 250)}.${1 + (index % 250)}`;

  it("limits each visitor behind a trusted proxy by the visitor's own network", async () => {
    const origin = await aProxyBehind("192.0.2.0/24, 127.0.0.1", await leadsTo(TARGET));

    expect(await howManyPass(origin, everyNetwork)).toBe(MANY);
    expect(await howManyPass(origin, () => "203.0.113.9")).toBeLessThan(MANY);
    // What a visitor makes up stands to the left of what the trusted proxy saw, and is not believed.
    expect(await howManyPass(origin, (index) => `${everyNetwork(index)}, 203.0.113.10`)).toBeLessThan(MANY);
    // One network of IPv6, whichever of its addresses.
    expect(await howManyPass(origin, (index) => `2001:db8:1:2::${index.toString(16)}`)).toBeLessThan(MANY);
    // Through several proxies: the last address that none of them has.
    expect(await howManyPass(origin, (index) => `${everyNetwork(index)}, 192.0.2.7`)).toBe(MANY);
  });

  it("counts a caller's connection while its answer is not read", async () => {
    const body = Buffer.alloc(1024 * 1024);
    const origin = await aProxy(await aProcess((_request, response) => response.end(body)));
    const path = `/v1/workspaces/${newId("workspace")}/ads/serving`;
    for (let open = 0; open < 200; open += 1) {
      const unread = connect(Number(new URL(origin).port), "127.0.0.1");
      onTestFinished(() => void unread.destroy());
      await new Promise((resolve) => {
        unread.once("readable", resolve);
        unread.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      });
    }

    expect((await fetch(`${origin}${path}`)).status).toBe(429);
  });

  it("takes a proxy that it was not told of for one caller, on a private address too", async () => {
    const origin = await aProxy(await leadsTo(TARGET));

    expect(await howManyPass(origin, everyNetwork)).toBeLessThan(MANY);
  });

  it("tells the services the visitor's address in the last place, where they look", async () => {
    const serving = await leadsTo(TARGET);
    const origin = await aProxyBehind("127.0.0.1, 192.0.2.0/24", serving);

    await fetch(`${origin}${LINK}`, {
      redirect: "manual",
      headers: { "x-forwarded-for": "10.9.9.9, 203.0.113.7, 192.0.2.7" },
    });

    expect(serving.forwarded.at(-1)).toBe("10.9.9.9, 203.0.113.7, 192.0.2.7, 203.0.113.7");
  });
});
