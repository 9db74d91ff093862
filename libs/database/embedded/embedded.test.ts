import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type Database, openDatabase } from "../connection.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded.ts";

const logger = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
/** The machine survives these tests, so nothing has to be forced to its disk. */
const settings = { fsync: "off" };

async function start(dataDir: string, port?: number): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({
    dataDir,
    logger,
    settings,
    ...(port === undefined ? {} : { port }),
  });
  onTestFinished(() => postgres.close());
  return postgres;
}

function connect(url: string): Database {
  const database = openDatabase({ url, logger });
  onTestFinished(() => database.close());
  return database;
}

function askPs(column: string, pid: number): string {
  return spawnSync("ps", ["-o", `${column}=`, "-p", String(pid)], { encoding: "utf8" }).stdout.trim();
}

function processGroup(pid: number): string {
  return askPs("pgid", pid);
}

/** A process that only waits for its parent to take note of its end counts as gone. */
function isAlive(pid: number): boolean {
  const state = askPs("stat", pid);
  return state !== "" && !state.startsWith("Z");
}

/** Another Node process that runs a server over the folder and can be killed. */
async function startElsewhere(dataDir: string): Promise<{ kill(): Promise<void>; url: string; pid: number }> {
  const program = `
    import { startEmbeddedPostgres } from "#libs/database/embedded/embedded.ts";
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const { url, pid } = await startEmbeddedPostgres({ dataDir: process.argv[1], logger });
    console.log(JSON.stringify({ url, pid }));
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, "--", dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const [line] = await once(child.stdout, "data");
  const { url, pid } = JSON.parse(String(line));
  onTestFinished(async () => {
    await kill();
    if (isAlive(pid)) process.kill(pid, "SIGQUIT");
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), 20_000);
  });
  return { kill, url, pid };
}

it("keeps its rows over a close, and leaves neither process nor lock behind", async () => {
  const folder = await aFolder();
  const first = await start(folder);
  const before = connect(first.url);
  await before.pool.query("create table notes as select 'kept' as note");
  await before.close();

  await first.close();
  const gone = isAlive(first.pid);
  const second = await start(folder);

  expect(gone).toBe(false);
  expect((await connect(second.url).pool.query("select note from notes")).rows).toEqual([{ note: "kept" }]);
});

it("speaks UTF-8 and UTC whatever the machine does, and listens on the loopback address alone", async () => {
  const { pool } = connect((await start(await aFolder())).url);

  const { rows } = await pool.query(`select current_setting('server_encoding') as encoding,
    current_setting('timezone') as zone, current_setting('listen_addresses') as addresses, lower('ÄΣ') as lowered`);

  expect(rows).toEqual([{ encoding: "UTF8", zone: "UTC", addresses: "127.0.0.1", lowered: "äσ" }]);
});

it("keeps an interrupt from the keyboard away from the server, and our handling of signals as it was", async () => {
  const listeners = process.listenerCount("SIGINT") + process.listenerCount("exit");

  const { pid } = await start(await aFolder());

  expect(processGroup(pid)).not.toBe(processGroup(process.pid));
  expect(process.listenerCount("SIGINT") + process.listenerCount("exit")).toBe(listeners);
});

it("restarts a killed server on the same port, and the pool works again", async () => {
  const postgres = await start(await aFolder());
  const database = connect(postgres.url);
  await database.pool.query("create table notes as select 'kept' as note");
  const killed = postgres.pid;
  const cutOff = expect(database.pool.query("select pg_sleep(60)")).rejects.toThrow();

  process.kill(killed, "SIGKILL");
  await cutOff;

  await vi.waitFor(() => database.ping(), { timeout: 20_000 });
  expect((await database.pool.query("select note from notes")).rows).toEqual([{ note: "kept" }]);
  expect(postgres.pid).not.toBe(killed);
  expect(logger.error).toHaveBeenCalledWith({ pid: killed }, "the embedded Postgres died; restarting it");
});

it("closes while a killed server is being restarted", async () => {
  const folder = await aFolder();
  const postgres = await start(folder);
  const killed = postgres.pid;
  process.kill(killed, "SIGKILL");
  await vi.waitFor(() => expect(isAlive(killed)).toBe(false), 20_000);

  await postgres.close();

  expect(isAlive(postgres.pid)).toBe(false);
  await start(folder);
});

it("stops a server that outlived its killed parent and keeps what was committed", async () => {
  const folder = await aFolder();
  const elsewhere = await startElsewhere(folder);
  const before = connect(elsewhere.url);
  await before.pool.query("create table notes as select 'kept' as note");
  await before.close();

  await elsewhere.kill();
  const survived = isAlive(elsewhere.pid);
  const next = await start(folder);

  expect(survived).toBe(true);
  expect(next.pid).not.toBe(elsewhere.pid);
  expect((await connect(next.url).pool.query("select note from notes")).rows).toEqual([{ note: "kept" }]);
});

it("starts after parent and server were killed together", async () => {
  const folder = await aFolder();
  const elsewhere = await startElsewhere(folder);

  await elsewhere.kill();
  process.kill(elsewhere.pid, "SIGKILL");

  await connect((await start(folder)).url).ping();
});

it("is not put off by a stale pid file whose number belongs to another process now", async () => {
  const folder = await aFolder();
  await (await start(folder)).close();
  const { uid, gid } = await stat(join(folder, "cluster"));
  const bystander = spawn("sleep", ["600"], { uid, gid, cwd: "/" });
  onTestFinished(() => void bystander.kill());
  await once(bystander, "spawn");
  await writeFile(join(folder, "cluster", "postmaster.pid"), `${bystander.pid}\n${folder}\n`);

  await connect((await start(folder)).url).ping();

  expect(bystander.exitCode ?? bystander.signalCode).toBeNull();
});

it("creates the database again where an earlier attempt was cut short", async () => {
  const folder = await aFolder();
  await mkdir(join(folder, "cluster.new", "base"), { recursive: true });

  await start(folder);

  expect((await readdir(folder)).sort()).toEqual(["cluster", "lock", "password"]);
});

it("refuses a folder that another process uses", async () => {
  const folder = await aFolder();
  await startElsewhere(folder);

  await expect(start(folder)).rejects.toThrow(`The database folder ${folder} is in use by another process.`);
});

it("refuses a port that is taken", async () => {
  const server = createServer();
  onTestFinished(() => void server.close());
  const port = await listenOnLoopback(server);

  await expect(start(await aFolder(), port)).rejects.toThrow(
    `The port ${port} for the embedded Postgres is taken.`,
  );
});

it("says in a sentence what is wrong with a folder that cannot be used", async () => {
  const file = join(await aFolder(), "file");
  await writeFile(file, "");
  const older = await aFolder();
  await mkdir(join(older, "cluster"));
  await writeFile(join(older, "cluster", "PG_VERSION"), "15\n");
  const emptied = await aFolder();
  await mkdir(join(emptied, "cluster"));
  const damaged = await aFolder();
  await (await start(damaged)).close();
  await writeFile(join(damaged, "cluster", "global", "pg_control"), "nonsense");

  await expect(start(file)).rejects.toThrow(/^The database folder .+ cannot be used: .+\.$/);
  await expect(start(older)).rejects.toThrow("was made by Postgres 15 and cannot be read by Postgres 18.");
  await expect(start(emptied)).rejects.toThrow("is damaged: it has no PG_VERSION.");
  await expect(start(damaged)).rejects.toThrow(/^The database in .+ does not start: .+pg_control.+\.$/);
});
