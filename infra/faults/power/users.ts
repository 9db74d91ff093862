import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

/** SIGKILL to each process that works in the folder or has a file below it open or mapped. */
export function killUsersOf(folder: string): void {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    if (Number(pid) === process.pid || !uses(join("/proc", pid), folder)) continue;
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It has ended by itself.
    }
  }
}

function uses(entry: string, folder: string): boolean {
  try {
    const open = readdirSync(join(entry, "fd")).map((fd) => linkOf(join(entry, "fd", fd)));
    const isBelow = (path: string) => path === folder || path.startsWith(`${folder}/`);
    if ([linkOf(join(entry, "cwd")), ...open].some(isBelow)) return true;
    return readFileSync(join(entry, "maps"), "utf8").includes(` ${folder}/`);
  } catch {
    // It has ended meanwhile.
    return false;
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
