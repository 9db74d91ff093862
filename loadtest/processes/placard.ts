import { freePort } from "#libs/process/ports.ts";
import { startFlags } from "./npm-script.ts";
import { type Server, startServer } from "./server.ts";

/** An installation on this machine, started as `npm start` starts it. */
export interface Placard extends Server {
  /** The demo workspace and its first ad; empty without a demo. */
  readonly workspaceId: string;
  readonly adId: string;
  /** The demo workspace's key; empty after the first start. */
  readonly key: string;
  /** The sign-in of the demo's publisher; empty after the first start. */
  readonly signIn: { readonly email: string; readonly password: string };
}

export interface PlacardOptions {
  readonly dataDir: string;
  readonly seed: "demo" | "none";
  readonly profileDir: string | undefined;
}

/**
 * Starts `services/standalone/main.ts`: everything in one process tree on the embedded engines. Behind a proxy on this
 * machine, so that requests can come from many visitors, and without a limit of impressions for each.
 */
export async function startPlacard({ dataDir, seed, profileDir }: PlacardOptions): Promise<Placard> {
  const server = await startServer({
    program: new URL("../../services/standalone/main.ts", import.meta.url),
    flags: startFlags("start"),
    env: {
      HOST: "127.0.0.1",
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      SEED: seed,
      TRUST_PROXY: "127.0.0.1",
      IMPRESSIONS_PER_MINUTE: "0",
      CLICKS_PER_MINUTE: "0",
      SERVER_EVENTS_PER_MINUTE: "0",
      LOG_LEVEL: "error",
    },
    ready: /running at (\S+)\n/,
    profileDir,
  });
  const said = (pattern: RegExp) => pattern.exec(server.printed)?.[0] ?? "";
  const [, email = "", password = ""] = /^ {2}Sign in {5}(\S+), password (\S+)$/m.exec(server.printed) ?? [];
  return {
    ...server,
    signIn: { email, password },
    workspaceId: said(/ws_\w+/),
    adId: said(/ad_\w+/),
    key: said(/plc_\w+/),
  };
}
