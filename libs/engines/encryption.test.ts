import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createServer, type TLSSocket } from "node:tls";
import { pino } from "pino";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createShutdown } from "#libs/async/index.ts";
import { kafkaSettings, readConfig } from "#libs/config/index.ts";
import { aCertificate } from "#libs/mail/tests/certificate.ts";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { clickhouseAccess, openKafka, openSharedStores } from "./index.ts";

const folder = await aFolder(afterAll);
const logger = pino({ level: "silent" });

/** A shutdown that releases everything after the test. */
function aShutdown() {
  const shutdown = createShutdown({ logger, handleSignals: false });
  onTestFinished(() => shutdown.release());
  return shutdown;
}

function kafka(environment: Readonly<Record<string, string>>) {
  const { kafkaBrokers = [], ...settings } = readConfig(kafkaSettings, environment);
  return openKafka({ ...settings, kafkaBrokers }, logger, aShutdown());
}

/** A TLS server of its own authority that asks for certificates, and the first connection that it accepts. */
async function aTlsServer() {
  const own = await aCertificate("DNS:localhost", "IP:127.0.0.1");
  const client = await aCertificate("DNS:placard");
  const files = { ca: join(folder, "ca.pem"), cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await Promise.all([
    writeFile(files.ca, own.cert),
    writeFile(files.cert, client.cert),
    writeFile(files.key, client.key),
  ]);
  const server = createServer({ ...own, ca: client.cert, requestCert: true, rejectUnauthorized: false });
  const sockets = new Set<TLSSocket>();
  server.on("secureConnection", (socket) => sockets.add(socket.on("error", () => undefined)));
  const accepted = once(server, "secureConnection");
  const port = await listenOnLoopback(server);
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { port, files, accepted: async (): Promise<TLSSocket> => (await accepted)[0] };
}

it("shows Kafka our certificate, and believes the authority that is named", async () => {
  const { port, files, accepted } = await aTlsServer();

  void kafka({
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    KAFKA_SSL: "true",
    KAFKA_CA_FILE: files.ca,
    KAFKA_CERT_FILE: files.cert,
    KAFKA_KEY_FILE: files.key,
  });
  const socket = await accepted();

  expect(socket.authorized).toBe(true);
});

it("believes the authority that is named for Redis", async () => {
  const { port, files, accepted } = await aTlsServer();
  const settings = { redisUrl: `rediss://127.0.0.1:${port}/0`, redisCaFile: files.ca };

  void openSharedStores(settings, logger, aShutdown()).catch(() => undefined);

  expect((await accepted()).encrypted).toBe(true);
});

it.each([
  ["a CA without TLS", { KAFKA_CA_FILE: "ca.pem" }, /need KAFKA_SSL=true/],
  ["a certificate without its key", { KAFKA_SSL: "true", KAFKA_CERT_FILE: "cert.pem" }, /go together/],
  [
    "a CA that is no file",
    { KAFKA_SSL: "true", KAFKA_CA_FILE: "/nowhere.pem" },
    /KAFKA_CA_FILE: \/nowhere\.pem/,
  ],
  [
    "a password in the clear",
    { KAFKA_SASL_MECHANISM: "plain", KAFKA_SASL_USERNAME: "placard", KAFKA_SASL_PASSWORD: "secret" },
    /unencrypted.*ALLOW_PLAIN_LOGINS/,
  ],
])("refuses %s for Kafka in one sentence", async (_what, environment, sentence) => {
  await expect(kafka({ KAFKA_BROKERS: "kafka.example:9092", ...environment })).rejects.toThrow(sentence);
});

it("refuses an authority for a Redis without TLS", async () => {
  const settings = { redisUrl: "redis://redis.example:6379/0", redisCaFile: "ca.pem" };

  await expect(openSharedStores(settings, logger, aShutdown())).rejects.toThrow(/rediss:/);
});

it("sends the password of ClickHouse unencrypted to this machine alone, unless that is allowed", () => {
  const access = { clickhouseUser: "placard", clickhousePassword: "secret", allowPlainLogins: false };
  const away = "http://clickhouse.example:8123";

  expect(() => clickhouseAccess({ ...access, clickhouseUrl: away })).toThrow(/ALLOW_PLAIN_LOGINS/);
  for (const allowed of [
    { ...access, clickhouseUrl: away, clickhousePassword: "" },
    { ...access, clickhouseUrl: away, allowPlainLogins: true },
    { ...access, clickhouseUrl: "https://clickhouse.example:8443" },
    { ...access, clickhouseUrl: "http://127.0.0.1:8123" },
  ]) {
    expect(clickhouseAccess(allowed).url).toBe(allowed.clickhouseUrl);
  }
});
