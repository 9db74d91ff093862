import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { aFolder } from "#libs/testing/temporary-folder.ts";
import { createPayments, type Payments } from "./index.ts";
import { openCheckout } from "./tests/requests.ts";
import { openInbox, runSandbox, SECRET_KEY, WEBHOOK_SECRET } from "./tests/running-sandbox.ts";

const PROGRAM = fileURLToPath(new URL("./tests/sandbox-process.ts", import.meta.url));
const ROUNDS = 5;
const HOUR = 3600;

let folder: string;
let child: ChildProcess | undefined;

beforeEach(async () => {
  folder = await aFolder();
});

afterEach(() => kill());

async function startProcess(stateFile: string): Promise<Payments> {
  const started = spawn(process.execPath, [PROGRAM, stateFile, SECRET_KEY, WEBHOOK_SECRET], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  child = started;
  const [line] = await once(createInterface(started.stdout), "line");
  const { port } = JSON.parse(String(line));
  return createPayments({
    secretKey: SECRET_KEY,
    webhookSecret: WEBHOOK_SECRET,
    host: "127.0.0.1",
    port,
    protocol: "http",
  });
}

async function kill(): Promise<void> {
  const running = child;
  child = undefined;
  if (running === undefined || running.exitCode !== null) return;
  const gone = once(running, "exit");
  running.kill("SIGKILL");
  await gone;
}

function post(url: string, fields: object): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(fields),
  });
}

it("keeps every checkout that it said was paid, its webhooks and its clock when the process is killed", async () => {
  const stateFile = join(folder, "payments.db");
  const paid: string[] = [];
  let hours = 0;

  for (let round = 0; round < ROUNDS; round++) {
    const payments = await startProcess(stateFile);
    const { processorSessionId, url } = await openCheckout(payments);
    const response = await post(`${url}/complete`, { email: "ads@harbour.example" });
    if (response.ok) paid.push(processorSessionId);
    const moved = await post(new URL("/sandbox/clock/advance", url).href, { seconds: HOUR });
    if (moved.ok) hours += 1;
    await kill();
  }

  const inbox = await openInbox();
  const survivor = await runSandbox(stateFile);
  try {
    survivor.deliverTo(inbox.url);
    const sessions = await Promise.all(paid.map((id) => survivor.payments.readCheckoutSession(id, null)));
    expect(paid).toHaveLength(ROUNDS);
    expect(sessions.map(({ status }) => status)).toEqual(Array(ROUNDS).fill("complete"));
    await expect
      .poll(() => inbox.events.filter(({ type }) => type === "checkout.session.completed").length, {
        timeout: 10_000,
      })
      .toBe(ROUNDS);
    const announced = inbox.events.flatMap(({ subject }) =>
      subject.kind === "checkout" ? subject.checkout.id : [],
    );
    expect(announced).toEqual(paid);
    const { now } = await (await survivor.post("/sandbox/clock/advance", { seconds: 1 })).json();
    expect(hours).toBe(ROUNDS);
    expect(Date.parse(now) - Date.now()).toBeGreaterThan((ROUNDS * HOUR - 60) * 1000);
  } finally {
    await survivor.close();
    await inbox.close();
  }
});
