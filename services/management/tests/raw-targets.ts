import { Agent, request } from "node:http";
import { afterAll } from "vitest";

/** Who sends it. */
export type Credentials = Readonly<Record<string, string>>;

const agent = new Agent({ keepAlive: true, maxSockets: 4 });
afterAll(() => agent.destroy());

/** The status of a request whose target arrives as it is written, which no URL parser has touched. */
export async function statusOfTarget(
  origin: string,
  { method, target, body }: { readonly method: string; readonly target: string; readonly body: unknown },
  credentials: Credentials,
): Promise<number> {
  const { hostname, port } = new URL(origin);
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    ...credentials,
    ...(text === "" ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
  };
  return await new Promise((resolve, reject) => {
    const sent = request({ agent, hostname, port, method, path: target, headers }, (answer) => {
      answer.resume();
      answer.once("end", () => resolve(answer.statusCode ?? 0));
    });
    sent.once("error", reject);
    sent.end(text);
  });
}

/** Ways to write a step up, each with the separator that it goes with. */
const STEPS_UP = [
  { up: "..\\", slash: "\\" },
  { up: ".\\..\\", slash: "\\" },
  { up: "%2e%2e\\", slash: "\\" },
  { up: "..%5c", slash: "%5c" },
  { up: "..%2f", slash: "%2f" },
  { up: "../", slash: "/" },
  { up: "%2e%2e/", slash: "/" },
] as const;

/**
 * Every way to write `path` (below `/v1`) into the last part of `carrier`, so that a router that reads a target as it is
 * finds the carrier, and one that reads it as a URL finds `path`.
 */
export function disguises(carrier: string, path: string): string[] {
  const folder = carrier.slice(0, carrier.lastIndexOf("/"));
  const depth = folder.split("/").length - 1;
  return STEPS_UP.flatMap(({ up, slash }) => {
    const rest = path.slice(1).replaceAll("/", slash);
    const target = `/v1${folder}/${up.repeat(depth)}${rest}`;
    return [target, `http://127.0.0.1${target}`];
  });
}
