import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type RequestListener } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { processEnvironment } from "#libs/config/environment.ts";
import { newId } from "#libs/domain/ids.ts";
import { freePort, listenOnLoopback } from "#libs/process/ports.ts";
import { answerToTarget } from "#libs/testing/raw-target.ts";
import { Program } from "../native/program.ts";

const TARGET = "https://northwind.example/";
const LINK = `/v1/ads/${newId("ad")}/click`;

/** A process that answers as it is told; returns where it is and what it was asked. */
async function aProcess(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    answer(request, response);
  });
  const host = `127.0.0.1:${await listenOnLoopback(server)}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host, asked };
}

/** The proxy in front of those processes of serving. */
async function aProxy(...serving: readonly { readonly host: string }[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "placard-proxy-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
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
