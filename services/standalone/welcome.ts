import { join } from "node:path";
import { hostForUrl, isLoopback } from "#libs/process/index.ts";
import { setUpLines } from "../management/start/set-up-lines.ts";
import type { Configuration } from "./configuration.ts";
import type { Demo } from "./seed/demo.ts";

/** A browser's: curl's own user agent is a bot's, whose events do not count. */
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

interface Started {
  readonly demo: Demo | null;
  /** Null where nobody has to create a first account. */
  readonly setUpLink: string | null;
}

type WelcomeFacts = Pick<Configuration, "publicUrl" | "host" | "port" | "stripe" | "smtpUrl" | "dataDir">;

/** Prints where the installation is and what to try first. */
export function printWelcome(configuration: Configuration, started: Started): void {
  process.stdout.write(`${welcomeLines(configuration, started).join("\n")}\n`);
}

/** The lines of the welcome; the curl lines work when pasted. */
export function welcomeLines(
  { publicUrl, stripe, smtpUrl, dataDir, ...network }: WelcomeFacts,
  { demo, setUpLink }: Started,
): string[] {
  const base = `${publicUrl.origin}/v1`;
  const lines = ["", `Placard is running at ${publicUrl.origin}`, `  Reference   ${base}/docs`];
  const address = `${hostForUrl(network.host)}:${network.port}`;
  // Behind a proxy, which has to be told.
  if (publicUrl.host !== address) lines.push(`  Listens on  ${address}`);
  if (smtpUrl === undefined)
    lines.push(`  Mail        not sent, see ${join(dataDir, "outbox")}: set SMTP_URL`);
  if (stripe === null) lines.push("  Payments    sandbox: no money moves");
  if (setUpLink !== null) lines.push("", ...setUpLines(setUpLink));
  if (demo === null) return [...lines, ""];

  lines.push(...signInLines(publicUrl, demo), `  Workspace   ${demo.workspaceId} (demo)`);
  if (demo.key === null) {
    lines.push("  Key         shown once, at the first start", "");
  } else {
    lines.push(`  Key         ${demo.key} (shown this once)`, "");
  }
  const { workspaceId, adId, key } = demo;
  lines.push(
    "Try it:",
    `  curl '${base}/workspaces/${workspaceId}/ads/serving?count=3'`,
    `  curl -X POST -A '${BROWSER}' '${base}/ads/${adId}/impressions'`,
    `  curl -H 'Authorization: Bearer ${key ?? "YOUR_KEY"}' '${base}/workspaces/${workspaceId}/ads/${adId}/stats?days=7'`,
    "",
    "Ctrl-C stops it.",
    "",
  );
  return lines;
}

/**
 * How to sign in to the demo: at each start if only this machine can reach it, otherwise only at the first, because the
 * output of a public installation is read in more places than its terminal.
 */
function signInLines(publicUrl: URL, { signIn, key }: Demo): string[] {
  if (signIn === null) return [];
  const isShown = key !== null || isLoopback(publicUrl.hostname);
  const password = isShown ? `password ${signIn.password}` : "with the password that the first start showed";
  return [`  Sign in     ${signIn.email}, ${password}`];
}
