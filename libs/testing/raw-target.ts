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

/** Sends the target as it is, which fetch would mend; answers with the status, 0 where there was none. */
export async function statusOfTarget(
  origin: string,
  target: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<number> {
  const { hostname, port, host } = new URL(origin);
  const lines = Object.entries({ host, connection: "close", "content-length": "0", ...headers });
  const socket = connect(Number(port), hostname);
  socket.write(
    `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`,
  );
  const answer = await text(socket);
  return Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
}
