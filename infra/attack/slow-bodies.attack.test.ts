import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { startInstallation } from "../../services/standalone/tests/installation.ts";
import { sendRaw } from "./raw-request.ts";

const CONNECTIONS = 200;
const ANNOUNCED = 1_048_000;
const SENT = 1_000_000;
const MEBIBYTE = 1024 * 1024;
/** 64 MiB of bodies, twice for what the collector has not freed yet, and what the sockets take. */
const MOST_GROWTH = 200 * MEBIBYTE;
/** Ten seconds without progress, and the time until that is looked at. */
const CLOSED_WITHIN_MS = 20_000;

it("keeps little of 200 bodies of a megabyte that begin and stop, and answers others meanwhile", async () => {
  const { url, pid } = await startInstallation({
    dataDir: await aFolder(),
    environment: { TRUST_PROXY: "127.0.0.1" },
  });
  const memory = () =>
    Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
  const before = memory();
  const sockets = Array.from({ length: CONNECTIONS }, (_, n) =>
    aBodyThatStops(url, `2001:db8:1:${n.toString(16)}::1`),
  );
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });

  let most = 0;
  const waits: number[] = [];
  await vi.waitFor(
    async () => {
      most = Math.max(most, memory());
      const { status, tookMs } = await sendRaw(url, {
        method: "POST",
        target: "/api/auth/sign-out",
        headers: { "x-forwarded-for": `203.0.113.${waits.length % 250}`, "content-type": "application/json" },
        body: "{}",
      });
      expect(status).toBe(200);
      waits.push(tookMs);
      expect(sockets.filter(({ closed }) => !closed)).toHaveLength(0);
    },
    { timeout: CLOSED_WITHIN_MS, interval: 50 },
  );

  process.stdout.write(
    `slow bodies: ${Math.round((most - before) / MEBIBYTE)} MiB more; another address waited ${Math.round(median(waits))} ms, ${Math.round(Math.max(...waits))} ms at most, in ${waits.length} requests\n`,
  );
  expect(most - before).toBeLessThan(MOST_GROWTH);
  // Not the longest: this process sends 200 MB itself meanwhile.
  expect(median(waits)).toBeLessThan(100);
});

/** A request whose body stops shortly before its end. */
function aBodyThatStops(url: string, from: string): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => undefined).resume();
  socket.write(
    `POST /v1/webhooks/stripe HTTP/1.1\r\nhost: a\r\nx-forwarded-for: ${from}\r\ncontent-type: application/json\r\ncontent-length: ${ANNOUNCED}\r\n\r\n`,
  );
  socket.write(Buffer.alloc(SENT, 32));
  return socket;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
