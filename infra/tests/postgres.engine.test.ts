import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { servedTiers } from "#libs/contract/serving.ts";
import { openDatabase } from "#libs/database/connection.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { aPublisher, aTier } from "../../services/management/tests/story.ts";
import { aPrivateEngine } from "../native/private-engine.ts";
import { postgresRecipe } from "../native/recipes.ts";
import { startSplitInstallation } from "./split-installation.ts";

const BACK_WITHIN = { timeout: 30_000, interval: 100 };

/** A Postgres that may be killed. */
async function aPostgres(environment: Readonly<Record<string, string>> = {}) {
  const { program, address } = await aPrivateEngine(postgresRecipe(await aFolder(), environment));
  onTestFinished(() => program.cleanUp());
  await program.start();
  return { program, url: address.url };
}

/** A certificate for this machine that is its own authority. */
async function aCertificate() {
  const folder = await aFolder();
  const [cert, key] = [join(folder, "cert.pem"), join(folder, "key.pem")];
  const names = ["-subj", "/CN=postgres.example", "-addext", "subjectAltName=IP:127.0.0.1"];
  const how = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-keyout", key, "-out", cert];
  execFileSync("openssl", ["req", ...how, ...names], { stdio: "ignore" });
  return { cert, key };
}

/** How a query by these options fares: whether its connection was encrypted, or why there is none. */
async function connect(options: { url: string; caFile?: string }): Promise<boolean | string> {
  const database = openDatabase(options);
  try {
    const { rows } = await database.pool.query("select ssl from pg_stat_ssl where pid = pg_backend_pid()");
    return rows[0].ssl;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await database.close();
  }
}

it("encrypts and verifies with the authority's certificate, and refuses any other server", async () => {
  const { cert, key } = await aCertificate();
  const stranger = await aCertificate();
  const { url } = await aPostgres({ TLS_CERT_FILE: cert, TLS_KEY_FILE: key });
  const plain = await aPostgres();

  expect(await connect({ url, caFile: cert })).toBe(true);
  expect(await connect({ url: `${url}?sslmode=verify-full`, caFile: cert })).toBe(true);
  expect(await connect({ url, caFile: stranger.cert })).toMatch(/self-signed certificate/);
  expect(await connect({ url: url.replace("127.0.0.1", "localhost"), caFile: cert })).toMatch(/altnames/);
  expect(await connect({ url: plain.url, caFile: cert })).toMatch(/does not support SSL/);
  expect(await connect({ url })).toBe(false);
  await expect(connect({ url: `${url}?sslmode=disable`, caFile: cert })).rejects.toThrow(/sslmode=disable/);
});

it("continues with the same processes once Postgres is back: requests, jobs and snapshots", async () => {
  const { program, url } = await aPostgres();
  const { origin, management, serving } = await startSplitInstallation({
    environment: { DATABASE_URL: url },
  });
  const services = [management, ...serving].map((one) => one.program);
  const lives = services.map(({ pid }) => pid);
  const publisher = await aPublisher({ origin });
  const shown = async () => {
    const answer = await fetch(`${origin}${publisher.path}/tiers/serving`);
    return servedTiers.parse(await answer.json()).tiers.map(({ name }) => name);
  };
  await aTier(publisher, { name: "Before" });
  await vi.waitFor(async () => expect(await shown()).toEqual(["Before"]), BACK_WITHIN);

  await program.kill();
  await vi.waitFor(
    async () => expect((await fetch(`${management.origin}/readyz`)).status).toBe(503),
    BACK_WITHIN,
  );
  expect(await shown()).toEqual(["Before"]);
  await program.start();

  await vi.waitFor(
    async () => expect((await fetch(`${management.origin}/readyz`)).ok).toBe(true),
    BACK_WITHIN,
  );
  await aTier(publisher, { name: "After" });
  await vi.waitFor(async () => expect((await shown()).sort()).toEqual(["After", "Before"]), BACK_WITHIN);
  expect(services.map(({ pid, isRunning }) => (isRunning ? pid : "gone"))).toEqual(lives);
});
