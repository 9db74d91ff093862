import { once } from "node:events";
import type { RequestListener } from "node:http";
import { createServer, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { aCertificate } from "#libs/mail/tests/certificate.ts";
import { connectSecurely } from "./secure-connection.ts";

/** What a site gives by this connection. */
async function fetchFrom(answer: RequestListener): Promise<Buffer> {
  const certificate = await aCertificate("DNS:coffee.test");
  const server = createServer(certificate, answer).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const asked = request({
    host: "coffee.test",
    createConnection: () =>
      connectSecurely({
        host: "coffee.test",
        port,
        ca: certificate.cert,
        lookup: (_host, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
      }),
  });
  asked.end();
  const failed = once(asked, "error").then(([error]) => {
    throw error;
  });
  const [response] = await Promise.race([once(asked, "response"), failed]);
  return await Promise.race([failed, buffer(response)]);
}

it.each([[1_000], [16 * 1024], [1024 * 1024]])(
  "carries %i bytes in pieces of a usual size",
  async (length) => {
    const content = Buffer.alloc(length, "x");

    const got = await fetchFrom((_request, response) => {
      for (let from = 0; from < length; from += 1_400) response.write(content.subarray(from, from + 1_400));
      response.end();
    });

    expect(got.equals(content)).toBe(true);
  },
);

it("ends a connection on which a site sends tiny records", async () => {
  await expect(
    fetchFrom(async (_request, response) => {
      for (let n = 0; n < 5_000; n += 1) {
        response.write("x");
        // What is written in one round is one record.
        await setImmediate();
      }
      response.end();
    }),
  ).rejects.toThrow("coffee.test sends too much TLS overhead");
});
