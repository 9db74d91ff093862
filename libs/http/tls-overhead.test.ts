import { createCipheriv, createHmac } from "node:crypto";
import { once } from "node:events";
import { connect as connectTcp } from "node:net";
import { text } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import { connect } from "node:tls";
import { expect, it, onTestFinished } from "vitest";
import { aCertificate } from "#libs/mail/tests/certificate.ts";
import { startTestServer, type TestServer } from "./tests/test-server.ts";

/** A handshake message that asks for no answer (RFC 8446, 4.6.3), and the type of its record. */
const KEY_UPDATE = Buffer.from([24, 0, 0, 1, 0, 22]);

async function aServer() {
  const tls = await aCertificate("IP:127.0.0.1");
  const server = await startTestServer(
    (app) => {
      app.get("/look", async () => ({ success: true }));
    },
    { tls },
  );
  onTestFinished(() => server.close());
  return server;
}

/** A connection, the one below it, and the secret of what it sends. */
async function aConnection({ app, origin }: TestServer) {
  const accepted = once(app.server, "secureConnection");
  const below = connectTcp(Number(new URL(origin).port), "127.0.0.1");
  onTestFinished(() => void below.destroy());
  const secure = connect({
    socket: below,
    rejectUnauthorized: false,
    minVersion: "TLSv1.3",
    ciphers: "TLS_AES_128_GCM_SHA256",
  });
  let secret = Buffer.alloc(0);
  secure.on("keylog", (line: Buffer) => {
    const [label, , value = ""] = line.toString("latin1").trim().split(" ");
    if (label === "CLIENT_TRAFFIC_SECRET_0") secret = Buffer.from(value, "hex");
  });
  await Promise.all([once(secure, "secureConnect"), accepted]);
  return { below, secure, secret };
}

/** HKDF-Expand-Label of up to 32 bytes: RFC 8446, 7.1. */
function expand(secret: Buffer, label: string, length: number): Buffer {
  const info = `\0${String.fromCharCode(length, 6 + label.length)}tls13 ${label}\0\x01`;
  return createHmac("sha256", secret).update(info, "latin1").digest().subarray(0, length);
}

/** Key updates as records, each under the keys of the one before: RFC 8446, 5.2, 5.3 and 7.2. */
function keyUpdates(count: number, first: Buffer): Buffer {
  const records: Buffer[] = [];
  for (let secret = first; records.length < count; secret = expand(secret, "traffic upd", 32)) {
    const cipher = createCipheriv("aes-128-gcm", expand(secret, "key", 16), expand(secret, "iv", 12));
    const head = Buffer.from([23, 3, 3, 0, KEY_UPDATE.length + 16]);
    cipher.setAAD(head);
    records.push(Buffer.concat([head, cipher.update(KEY_UPDATE), cipher.final(), cipher.getAuthTag()]));
  }
  return Buffer.concat(records);
}

it("resets a connection that sends thousands of key updates", async () => {
  const { below, secure, secret } = await aConnection(await aServer());

  below.write(keyUpdates(1_000, secret));
  const [error] = await once(secure, "error");

  expect(error).toMatchObject({ code: "ECONNRESET" });
});

it("leaves a client alone that sends a byte per record", async () => {
  const { secure } = await aConnection(await aServer());

  for (const byte of `GET /look HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-long: ${"x".repeat(8_000)}\r\n\r\n`) {
    secure.write(byte);
    await setImmediate();
  }

  expect(await text(secure)).toMatch(/^HTTP\/1\.1 200 /);
});
