import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, vi } from "vitest";
import { isListening } from "#libs/process/ports.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type Installation, launchInstallation, startInstallation } from "./installation.ts";
import { expectGone } from "./process-tree.ts";

it("runs by npm start, and Ctrl-C in the terminal ends all of it cleanly", async () => {
  const installation = await startInstallation({ dataDir: await aFolder(), through: "npm" });
  const tree = installation.tree();

  // A terminal interrupts npm, the shell it starts, Node and ClickHouse alike.
  process.kill(-installation.pid, "SIGINT");

  // npm passes on how it was ended.
  expect([0, 130, "SIGINT"]).toContain(await installation.ended);
  await expectGone(tree, 2_000);
  expect(await isListening(installation.port)).toBe(false);
  expect(installation.stderr).toBe("");
});

it("leaves nothing behind when it is interrupted while it starts, and starts the next time", async () => {
  const dataDir = await aFolder();
  const runs = (program: RegExp) => (installation: Installation) =>
    installation.tree().some(({ title }) => program.test(title));
  const moments: { seed: string; hasCome: (installation: Installation) => boolean | Promise<boolean> }[] = [
    { seed: "none", hasCome: runs(/embedded-server\.ts/) },
    { seed: "none", hasCome: runs(/\/(initdb|postgres) /) },
    { seed: "none", hasCome: runs(/\/postgres -D/) },
    { seed: "demo", hasCome: (installation) => isListening(installation.port) },
  ];

  for (const { seed, hasCome } of moments) {
    const installation = await launchInstallation({ dataDir, environment: { SEED: seed } });
    await vi.waitUntil(() => hasCome(installation), { timeout: 90_000, interval: 10 });
    const tree = installation.tree();
    process.kill(-installation.pid, "SIGINT");
    expect(await installation.ended, installation.stderr).toBe(0);
    await expectGone([...tree, ...installation.tree()], 5_000);
    expect(installation.stderr).toBe("");
  }

  await (await startInstallation({ dataDir })).stop();
}, 300_000);

it("ends TLS itself, sandbox and demo included, with a certificate that nobody knows", async () => {
  const folder = await aFolder();
  const cert = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const files = ["-keyout", key, "-out", cert, "-days", "2"];
  const openssl = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await promisify(execFile)("openssl", [...openssl, ...files, ...names]);
  const environment = { TLS_CERT_FILE: cert, TLS_KEY_FILE: key, SEED: "demo" };
  const installation = await startInstallation({ dataDir: join(folder, "data"), environment });
  const [, workspaceId] = /(ws_\w+)/.exec(installation.stdout) ?? [];

  const { statusCode, headers } = await getTrusting(
    `${installation.url}/v1/workspaces/${workspaceId}/ads/serving`,
    await readFile(cert),
  );

  expect(installation.url).toBe(`https://127.0.0.1:${installation.port}`);
  expect(statusCode).toBe(200);
  expect(headers["strict-transport-security"]).toContain("max-age=");
  await installation.stop();
});

/** Asks somebody whose certificate is `ca`. */
function getTrusting(url: string, ca: Buffer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(url, { ca, agent: false }, (response) => {
      response.resume();
      response.once("end", () => resolve(response));
    }).once("error", reject);
  });
}
