import { mkdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { type InstallationOptions, launchInstallation, startInstallation } from "./installation.ts";
import { expectGone, listProcesses } from "./process-tree.ts";

/** What a start that fails as it should says: one line on standard error, exit code 1, nothing left running. */
async function refusalOf(options: InstallationOptions): Promise<string> {
  // Another installation may have the folder; it keeps its Postgres.
  const before = new Set(listProcesses().flatMap(({ name, pid }) => (name === "postgres" ? [pid] : [])));
  const installation = await launchInstallation(options);
  expect(await installation.ended).toBe(1);
  const left = installation.tree().filter(({ pid, parent }) => !before.has(pid) && !before.has(parent));
  await expectGone(left, 200);
  expect(installation.stdout).toBe("");
  const [line = "", ...more] = installation.stderr.trimEnd().split("\n");
  expect(more).toEqual([]);
  const [, sentence] = /^Placard cannot start\. (.+)$/.exec(line) ?? [];
  return sentence ?? `not the expected line: ${line}`;
}

it("refuses settings that are not allowed", async () => {
  const environment = { PORT: "abc" };

  const sentence = await refusalOf({ dataDir: await aFolder(), environment });

  expect(sentence).toBe('PORT ("abc"): must be a port number');
});

it("refuses a port that is taken and an address that is not this machine's", async () => {
  const dataDir = await aFolder();
  const server = createServer();
  const port = await listenOnLoopback(server);
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const elsewhere = { HOST: "192.0.2.1", PUBLIC_URL: "https://ads.example.com", PAYMENTS: "sandbox" };

  const taken = await refusalOf({ dataDir, port });
  const foreign = await refusalOf({ dataDir, environment: elsewhere });

  expect(taken).toBe(`Port ${port} on 127.0.0.1 is taken; give another PORT.`);
  expect(foreign).toBe("192.0.2.1 is not an address of this machine (HOST).");
});

it("refuses a data folder that cannot be made", async () => {
  const file = join(await aFolder(), "file");
  await writeFile(file, "");

  for (const dataDir of [file, join(file, "below")]) {
    expect(await refusalOf({ dataDir })).toContain(`The folder ${dataDir} cannot be used (DATA_DIR): `);
  }
});

it("refuses a data folder of a running installation, which continues", async () => {
  const dataDir = await aFolder();
  const first = await startInstallation({ dataDir });

  const sentence = await refusalOf({ dataDir });

  expect(sentence).toBe(
    `Another Placard is running on ${dataDir}; stop it, or give this one a DATA_DIR of its own.`,
  );
  expect((await fetch(`${first.url}/readyz`)).status).toBe(200);
  await first.stop();
});

it("refuses files that are damaged, names them, and starts once they are gone", async () => {
  const dataDir = await aFolder();
  const damages = [
    ["secrets.json", "is damaged; restore it, or remove it"],
    ["events.db", "is damaged and was left as it is"],
    ["uploads", "cannot be used: "],
    ["sandbox.db", "cannot be used: file is not a database"],
  ] as const;

  for (const [name, complaint] of damages) {
    const file = join(dataDir, name);
    await writeFile(file, "nonsense".repeat(1_000));
    expect(await refusalOf({ dataDir })).toMatch(new RegExp(`^[^.]*${name} ${complaint}.*\\.$`));
    await rm(file);
  }

  await (await startInstallation({ dataDir })).stop();
}, 300_000);

it("refuses a spill whose events the release before has not judged, names their files and says what to do", async () => {
  const dataDir = await aFolder();
  const spillDir = join(dataDir, "spill");
  await mkdir(join(spillDir, "0"), { recursive: true });
  await mkdir(join(spillDir, "1"));
  const left = [
    "0/unjudged-01795715624918-06fad8e8f924.unjudged",
    "1/held-01795715625061-3066ab72b56f.unjudged",
  ];
  for (const name of left) await writeFile(join(spillDir, name), "a batch");

  const sentence = await refusalOf({
    dataDir,
    // A broker that is not there is reported as well, and does not stop the start.
    environment: { KAFKA_BROKERS: "127.0.0.1:1", SPILL_DIR: spillDir, LOG_LEVEL: "error" },
  });

  expect(sentence).toBe(
    `The folder ${spillDir} (SPILL_DIR) cannot be used: The spill has acknowledged events that the release before has not judged yet, in ${left.map((name) => join(spillDir, name)).join(", ")}. Start that release again, with Redis and Kafka there, wait until its placard_spill_batches is 0, and then start this one.`,
  );
});

it.each([
  ["postgres/cluster/nonsense", "cluster is damaged: it has no PG_VERSION."],
  ["clickhouse", "clickhouse cannot be used: EEXIST"],
])("refuses an engine's damaged folder (%s) and ends the other engine", async (name, complaint) => {
  const dataDir = await aFolder();
  await mkdir(join(dataDir, name, ".."), { recursive: true });
  await writeFile(join(dataDir, name), "");

  expect(await refusalOf({ dataDir })).toContain(complaint);
});

it("refuses a file of countries that is none, and names its setting", async () => {
  const dataDir = await aFolder();
  const file = join(dataDir, "countries.csv");
  await writeFile(file, "81.2.69.0,81.2.69.255,GB\n");

  const sentence = await refusalOf({ dataDir, environment: { GEOIP_FILE: file } });

  expect(sentence).toBe("GEOIP_FILE cannot be used: it is no MaxMind DB file (.mmdb), or it is cut off.");
});

it.each([
  ["DATABASE_URL", "postgres://nobody@127.0.0.1:1/none", "The database at 127.0.0.1:1/none cannot be used: "],
  ["CLICKHOUSE_URL", "http://127.0.0.1:1", "ClickHouse at http://127.0.0.1:1 cannot be used: "],
])("refuses to start without the engine that %s names", async (variable, value, complaint) => {
  const sentence = await refusalOf({ dataDir: await aFolder(), environment: { [variable]: value } });

  expect(sentence).toContain(complaint);
});
