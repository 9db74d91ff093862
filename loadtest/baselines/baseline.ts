import { startFlags } from "../processes/npm-script.ts";
import { type Server, startServer } from "../processes/server.ts";

/**
 * Starts a server that Placard is compared with: a program of this folder, which prints where it listens. It has the flags of
 * `npm start`: a young generation as large as Placard's gives a bare Fastify a quarter more requests.
 */
export function startBaseline(
  program: string,
  route: unknown,
  profileDir: string | undefined,
): Promise<Server> {
  return startServer({
    program: new URL(program, import.meta.url),
    args: [JSON.stringify(route)],
    flags: startFlags("start"),
    ready: /listening at (\S+)\n/,
    profileDir,
  });
}
