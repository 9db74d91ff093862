// npm run dev: the product, started again when a file that it loads changes, and the dashboard with live reload.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const DASHBOARD = join(ROOT, "services/dashboard");

const product = spawn(
  process.execPath,
  ["--watch", "--watch-preserve-output", join(ROOT, "services/standalone/main.ts")],
  // In a process group of its own: an interrupt would reach the product both from the terminal and from the watcher,
  // and on the second one it exits without closing anything.
  { cwd: ROOT, stdio: "inherit", detached: process.platform !== "win32" },
);
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => product.kill(name));
}
const dashboard = await createServer({ root: DASHBOARD, configFile: join(DASHBOARD, "vite.config.ts") });
await dashboard.listen();
console.log("The dashboard with live reload:");
dashboard.printUrls();

await once(product, "close");
await dashboard.close();
