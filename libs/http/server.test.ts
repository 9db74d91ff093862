import { once } from "node:events";
import { connect, type SecureVersion } from "node:tls";
import { gzipSync } from "node:zlib";
import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aCertificate } from "#libs/mail/tests/certificate.ts";
import { createLogger } from "./logger.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer((app) => {
    app.get("/v1/ads/:adId", async () => ({ ok: true }));
    app.post("/v1/ads/:adId", async (request) => ({ body: request.body ?? null }));
    app.post("/v1/ads/export", async () => ({ ok: true }));
    app.get("/fails", async () => {
      throw new Error("the password is swordfish");
    });
    app.post("/fails-after-the-body", async () => {
      throw new Error("swordfish");
    });
    app.get("/upstream", async () => {
      throw Object.assign(new Error("No such customer"), { statusCode: 404, code: "resource_missing" });
    });
    app.get("/fit-to-show", async () => {
      throw Object.assign(new Error("Range"), { statusCode: 416, expose: true });
    });
    app.get("/says", async (request) => {
      request.log.warn({ adId: "ad_1" }, "looked at");
      request.log.debug("not at this level");
      return {};
    });
    app.get("/throws-text", () => Promise.reject("text"));
  });
});
afterAll(() => server.close());

describe("what a client sends wrong", () => {
  it.each([
    ["an unknown path", "/nope", {}, 404, "NOT_FOUND"],
    ["an unknown path with a broken body", "/nope", post("{"), 404, "NOT_FOUND"],
    ["an unknown path with a body of another type", "/nope", post("x", "text/csv"), 404, "NOT_FOUND"],
    ["a path that cannot be decoded", "/v1/ads/%ZZ", {}, 404, "NOT_FOUND"],
    ["an id that is too long to be one", `/v1/ads/${"a".repeat(300)}`, {}, 404, "NOT_FOUND"],
    ["a known path with another method", "/v1/ads/1", { method: "DELETE" }, 405, "METHOD_NOT_ALLOWED"],
    [
      "a wrong method with a broken body",
      "/v1/ads/1",
      { ...post("{"), method: "PUT" },
      405,
      "METHOD_NOT_ALLOWED",
    ],
    ["broken JSON", "/v1/ads/1", post('{"a":'), 422, "INPUT_VALIDATION_FAILED"],
    ["blank JSON", "/v1/ads/1", post("  "), 422, "INPUT_VALIDATION_FAILED"],
    ["JSON nested beyond reason", "/v1/ads/1", post("[".repeat(200_000)), 422, "INPUT_VALIDATION_FAILED"],
    ["a body of another type", "/v1/ads/1", post("<a/>", "application/xml"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a method that no route has", "/v1/ads/1", { method: "QUERY" }, 405, "METHOD_NOT_ALLOWED"],
    ["a text body", "/v1/ads/1", post("{}", "text/plain"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a type that is none", "/v1/ads/1", post("{}", "nonsense"), 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["a body over a mebibyte", "/v1/ads/1", post(`"${"a".repeat(1_048_576)}"`), 413, "PAYLOAD_TOO_LARGE"],
  ])("answers %s in the envelope", async (_case, path, init, status, code) => {
    const response = await server.fetch(path, init);

    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ code, status });
    expect(response.headers.get("content-type")).toContain("application/json");
    expect(response.headers.get("x-request-id")).toMatch(/^[\w.:-]+$/);
  });

  it.each(['{"__proto__":{"isAdmin":true},"a":1}', '{"constructor":{"prototype":{"isAdmin":true}},"a":1}'])(
    "ignores keys that could reach a prototype, as it does any unknown key: %s",
    async (body) => {
      const response = await server.fetch("/v1/ads/1", post(body));

      expect(response.status).toBe(200);
      expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
    },
  );

  it("lists the methods of a path's own name in Allow, not those of an id in its place", async () => {
    const response = await server.fetch("/v1/ads/export", { method: "DELETE" });

    expect(response.headers.get("allow")).toBe("POST");
  });

  it("lists the methods of a path in Allow, HEAD included", async () => {
    const response = await server.fetch("/v1/ads/1?a=b", { method: "PATCH" });

    expect(response.headers.get("allow")).toBe("GET, HEAD, POST");
  });

  it("says what is wrong with a body as a form error", async () => {
    const response = await server.fetch("/v1/ads/1", post("{"));

    expect(await response.json()).toEqual({
      defined: true,
      code: "INPUT_VALIDATION_FAILED",
      status: 422,
      message: "INPUT_VALIDATION_FAILED",
      data: {
        formErrors: ["The body is not valid JSON."],
        fieldErrors: {},
        reason: "MALFORMED_BODY",
        requestId: response.headers.get("x-request-id"),
      },
    });
  });

  it.each([
    ["JSON", post("", "application/json")],
    ["text", post("", "text/plain")],
    ["nothing", { method: "POST" }],
  ])("takes an empty body that claims to be %s for none", async (_type, init) => {
    const response = await server.fetch("/v1/ads/1", init);

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ body: null });
  });

  it.each([
    ["JSON that claims to be gzipped", "application/json", '{"a":1}', "gzip"],
    ["JSON that is gzipped", "application/json", gzipSync('{"a":1}'), "gzip"],
    ["what no route takes, in two codings", "text/csv", "a,b", "br, gzip"],
  ])("refuses %s with 415, and says which coding it accepts", async (_case, type, body, coding) => {
    const headers = { "content-type": type, "content-encoding": coding };
    const response = await server.fetch("/v1/ads/1", { method: "POST", body, headers });

    expect([response.status, response.headers.get("accept-encoding")]).toEqual([415, "identity"]);
    expect(await response.json()).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE" });
  });

  it("takes a body whose coding is none", async () => {
    for (const coding of ["identity", "Identity", ""]) {
      const headers = { "content-type": "application/json", "content-encoding": coding };
      const response = await server.fetch("/v1/ads/1", { method: "POST", body: '{"a":1}', headers });
      expect(response.status, coding).toBe(200);
    }
  });

  it("parses JSON of any charset parameter", async () => {
    const response = await server.fetch("/v1/ads/1", post('{"a":1}', "application/json; charset=utf-8"));

    expect(await response.json()).toEqual({ body: { a: 1 } });
  });

  it("answers HEAD wherever it answers GET", async () => {
    const response = await server.fetch("/v1/ads/1", { method: "HEAD" });

    expect(response.status).toBe(200);
  });
});

describe("what fails on our side", () => {
  it("answers 500 without a detail, and logs the error with the request's id and the route", async () => {
    const response = await server.fetch("/fails");

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({
      defined: false,
      code: "INTERNAL_SERVER_ERROR",
      status: 500,
      message: "Something went wrong on our side.",
      data: { requestId: response.headers.get("x-request-id") },
    });
    const logged = JSON.parse(server.lines.at(-1) ?? "");
    expect(logged).toMatchObject({ reqId: response.headers.get("x-request-id"), route: "/fails" });
    expect(logged.err.stack).toContain("swordfish");
  });

  it("answers 500, and logs, also after it has read a whole body", async () => {
    const response = await server.fetch("/fails-after-the-body", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: "{}",
    });

    expect(response.status).toBe(500);
    expect(JSON.parse(server.lines.at(-1) ?? "").route).toBe("/fails-after-the-body");
  });

  it.each(["/upstream", "/throws-text"])(
    "answers 500 to a foreign error of %s, whatever status it has",
    async (path) => {
      const response = await server.fetch(path);

      expect(response.status).toBe(500);
    },
  );

  it("answers 4xx to an error that is fit to be shown", async () => {
    const response = await server.fetch("/fit-to-show");

    expect(await response.json()).toMatchObject({ code: "BAD_REQUEST", status: 400 });
  });
});

describe("request ids", () => {
  let proxied: TestServer;
  beforeAll(async () => {
    proxied = await startTestServer(
      (app) => {
        app.get("/v1/ads/:adId", async () => ({ ok: true }));
      },
      { trustProxy: ["127.0.0.1"] },
    );
  });
  afterAll(() => proxied.close());

  it("keeps a sane one of a trusted proxy", async () => {
    const response = await proxied.fetch("/v1/ads/1", { headers: { "x-request-id": "trace-1.a:b_C" } });

    expect(response.headers.get("x-request-id")).toBe("trace-1.a:b_C");
  });

  it("makes its own in place of one that a caller has chosen", async () => {
    const response = await server.fetch("/v1/ads/1", { headers: { "x-request-id": "trace-1" } });

    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  it.each(["a".repeat(65), "with space", 'quote"', ""])("makes its own in place of %j", async (id) => {
    const response = await proxied.fetch("/v1/ads/1", { headers: { "x-request-id": id } });

    expect(response.headers.get("x-request-id")).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  });

  it("never gives two requests the same", async () => {
    const responses = await Promise.all(Array.from({ length: 20 }, () => server.fetch("/v1/ads/1")));

    expect(new Set(responses.map(({ headers }) => headers.get("x-request-id"))).size).toBe(20);
  });
});

describe("what is not HTTP", () => {
  it.each([
    ["noise", "hello\r\n\r\n", 400, "BAD_REQUEST"],
    ["a broken header", "GET / HTTP/1.1\r\nhost: a\r\nbad header\r\n\r\n", 400, "BAD_REQUEST"],
    [
      "headers over 16 KiB",
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "an address over 16 KiB",
      `GET /${"a".repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`,
      431,
      "HEADERS_TOO_LARGE",
    ],
    [
      "two lengths",
      "POST /v1/ads/1 HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}",
      400,
      "BAD_REQUEST",
    ],
  ])("answers %s in the envelope and closes", async (_case, bytes, status, code) => {
    const answer = await server.sendRaw(bytes);

    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(head).toMatch(/x-request-id: [0-9a-f]{12}-/);
    expect(JSON.parse(body)).toMatchObject({ code, status });
  });

  it("stays up and logs no failure when a client goes away in the middle of a body", async () => {
    const logged = server.lines.length;
    await server.sendAndLeave(
      "POST /v1/ads/1 HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 99\r\n\r\n{",
    );

    const response = await server.fetch("/v1/ads/1");

    expect(response.status).toBe(200);
    expect(server.lines.slice(logged)).toEqual([]);
  });
});

it("speaks no TLS 1.3 itself, whose key updates nobody could count", async () => {
  const tls = await aCertificate("IP:127.0.0.1");
  const secure = await startTestServer(routeOfTest, { tls });
  const open = async (minVersion: SecureVersion) => {
    const socket = connect({
      port: Number(new URL(secure.origin).port),
      host: "127.0.0.1",
      rejectUnauthorized: false,
      minVersion,
    });
    await once(socket, "secureConnect");
    const version = socket.getProtocol();
    socket.destroy();
    return version;
  };

  expect(await open("TLSv1.2")).toBe("TLSv1.2");
  await expect(open("TLSv1.3")).rejects.toThrow("protocol version");
  await secure.close();
});

describe("https", () => {
  const publicUrl = new URL("https://ads.example.com");

  it("redirects what reached a trusted proxy by plain http, with method and query", async () => {
    const proxied = await startTestServer(routeOfTest, { publicUrl, trustProxy: ["127.0.0.1"] });

    const response = await proxied.fetch("/a?b=c", { headers: { "x-forwarded-proto": "http" } });

    expect(response.status).toBe(308);
    expect(response.headers.get("location")).toBe("https://ads.example.com/a?b=c");
    await proxied.close();
  });

  it("never redirects away from the public host, whatever form the target has", async () => {
    const proxied = await startTestServer(routeOfTest, { publicUrl, trustProxy: ["127.0.0.1"] });

    const answer = await proxied.sendRaw(
      "GET http://evil.example/a HTTP/1.1\r\nhost: evil.example\r\nx-forwarded-proto: http\r\nconnection: close\r\n\r\n",
    );

    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toContain("location:");
    await proxied.close();
  });

  it.each([
    ["came to the proxy by https", { "x-forwarded-proto": "https" }, ["127.0.0.1"]],
    ["says https through a proxy that is not trusted", { "x-forwarded-proto": "https" }, false as const],
    ["came from inside, past the proxy", {}, ["127.0.0.1"]],
  ])("answers what %s, with HSTS", async (_case, headers, trustProxy) => {
    const proxied = await startTestServer(routeOfTest, { publicUrl, trustProxy });

    const response = await proxied.fetch("/a", { headers });

    expect(response.status).toBe(200);
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    await proxied.close();
  });

  it("sends no HSTS and no redirect where the public address is http", async () => {
    const response = await server.fetch("/v1/ads/1", { headers: { "x-forwarded-proto": "http" } });

    expect(response.status).toBe(200);
    expect(response.headers.has("strict-transport-security")).toBe(false);
  });
});

describe("the log", () => {
  it("has the request's id on what a handler says", async () => {
    const before = server.lines.length;

    const response = await server.fetch("/says");

    const said = server.lines.slice(before).map((line) => JSON.parse(line));
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({
      reqId: response.headers.get("x-request-id"),
      adId: "ad_1",
      msg: "looked at",
    });
  });

  it("hides secrets, wherever they stand", () => {
    const lines: string[] = [];
    const logger = createLogger({ level: "info" }, { write: (line) => lines.push(line) });

    logger.info({
      password: "secret-1",
      req: { headers: { authorization: "secret-2", cookie: "secret-3", "set-cookie": ["secret-4"] } },
      apiKey: "secret-5",
      session: { token: "secret-6" },
      adId: "ad_1",
    });

    expect(lines[0]).not.toContain("secret-");
    expect(lines[0]).toContain("ad_1");
  });
});

function post(body: string, type = "application/json"): RequestInit {
  return { method: "POST", body, headers: { "content-type": type } };
}

function routeOfTest(app: FastifyInstance): void {
  app.get("/a", async () => ({ ok: true }));
}

it("lets a plugin take minutes to load on a starved machine", () => {
  expect(server.app.initialConfig.pluginTimeout).toBeGreaterThanOrEqual(60_000);
});
