import { connect } from "node:net";
import { text } from "node:stream/consumers";

/** Targets that are another path once they are normalised; `path` is one that the server knows. */
export function foreignTargets(path: string): string[] {
  const cut = path.lastIndexOf("/");
  const [folder, name] = [path.slice(0, cut), path.slice(cut + 1)];
  return [
    `/${path}`,
    `//evil.example${path}`,
    `/\\evil.example${path}`,
    `http://evil.example${path}`,
    `${folder}/./${name}`,
    `${folder}/x/../${name}`,
    `${folder}/x/%2e%2e/${name}`,
    `${folder}/x/.%2E/${name}`,
    `${folder}/x\\..\\${name}`,
    `${folder}/x/..\\${name}`,
    `${folder}/x/%2e%2e\\${name}`,
    "//",
    "/..",
    "*",
  ];
}

interface RawOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the target as it is, which fetch would mend; answers with the status, 0 where there was none. */
export async function statusOfTarget(
  origin: string,
  target: string,
  options: RawOptions = {},
): Promise<number> {
  const answer = await answerToTarget(origin, target, options);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}

/** As `statusOfTarget`; answers with everything that the server sent, head and body. */
export async function answerToTarget(
  origin: string,
  target: string,
  { method = "GET", headers = {} }: RawOptions = {},
): Promise<string> {
  const { hostname, port, host } = new URL(origin);
  const lines = Object.entries({ host, connection: "close", "content-length": "0", ...headers });
  const socket = connect(Number(port), hostname);
  socket.write(
    `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  return await text(socket);
}
