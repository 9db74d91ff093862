import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { listenOnLoopback } from "#libs/process/ports.ts";
import { type ServiceName, startSplitInstallation } from "./split-installation.ts";

interface Outcome {
  readonly code: number;
  readonly said: readonly string[];
}

/** Runs a service that is expected to end by itself. */
function run(service: ServiceName, environment: Readonly<Record<string, string>>): Promise<Outcome> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [`services/${service}/main.ts`],
      { env: { PATH: process.env.PATH, ...environment }, timeout: 20_000 },
      (error, stdout, stderr) => {
        expect(stdout).toBe("");
        const code = typeof error?.code === "number" ? error.code : -1;
        // Beside the sentence the log may warn that only one broker has each event.
        const said = stderr
          .trimEnd()
          .split("\n")
          .filter((line) => !line.startsWith("{"));
        resolve({ code, said });
      },
    );
  });
}

describe("a service by itself", () => {
  it("names everything that it needs and was not given, a line each", async () => {
    const outcomes = await Promise.all([run("serving", {}), run("ingestion", {}), run("management", {})]);

    expect(outcomes.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect(
      outcomes.map(({ said }) => said.map((line) => line.replace(/^.*start\. /, "").split(":")[0])),
    ).toEqual([
      ["SECRET_KEY", "PUBLIC_URL", "DATABASE_URL", "REDIS_URL", "KAFKA_BROKERS"],
      ["KAFKA_BROKERS", "REDIS_URL", "CLICKHOUSE_URL"],
      ["SECRET_KEY", "PUBLIC_URL", "DATABASE_URL", "REDIS_URL", "CLICKHOUSE_URL"],
    ]);
    expect(outcomes[0]?.said[0]).toMatch(/^Placard serving cannot start\. SECRET_KEY: is needed/);
  });

  it("names the engine it cannot start without", async () => {
    const { environmentOf } = await startSplitInstallation();

    const outcomes = await Promise.all([
      run("management", { ...environmentOf("management"), DATABASE_URL: "postgres://u:p@127.0.0.1:1/d" }),
      run("serving", { ...environmentOf("serving"), SPILL_DIR: "/dev/null/spill" }),
    ]);

    expect(outcomes.map(({ code }) => code)).toEqual([1, 1]);
    expect(outcomes.map(({ said }) => said.join())).toEqual([
      expect.stringContaining(
        "Placard management cannot start. The database at 127.0.0.1:1/d cannot be used",
      ),
      expect.stringContaining(
        "Placard serving cannot start. The folder /dev/null/spill (SPILL_DIR) cannot be used",
      ),
    ]);
  });

  it("ends with one sentence where its port is taken, also as the first of several processes", async () => {
    const server = createServer();
    const port = await listenOnLoopback(server);
    onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
    const { environmentOf } = await startSplitInstallation();

    const alone = await run("serving", { ...environmentOf("serving"), PORT: String(port) });
    const several = await run("serving", {
      ...environmentOf("serving"),
      PORT: String(port),
      SERVING_PROCESSES: "2",
    });

    const sentence = `Placard serving cannot start. Port ${port} on 127.0.0.1 is taken; give another PORT.`;
    expect(alone).toEqual({ code: 1, said: [sentence] });
    expect(several.code).toBe(1);
    expect(several.said[0]).toBe(sentence);
    // Each process writes for itself, so the second worker's sentence may come after it.
    expect(several.said).toContainEqual(
      expect.stringContaining("A worker ended before any could answer requests"),
    );
  });
});
