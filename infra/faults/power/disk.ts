import { spawnSync } from "node:child_process";
import { closeSync, ftruncateSync, mkdirSync, openSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { killUsersOf } from "./users.ts";

const CUT = join(import.meta.dirname, "cut-power.py");
/** The file is sparse, so it only takes as much room as is written to it. */
const USUAL_BYTES = 4 * 2 ** 30;
const UNMOUNTED_WITHIN_MS = 20_000;

/** Why power cannot be cut here, in one sentence; null where it can. */
export function whyNoPowerCuts(): string | null {
  if (process.platform !== "linux") return "power is cut on Linux alone";
  if (process.getuid?.() !== 0) return "mounting a file system needs root";
  for (const tool of ["mkfs.ext4", "e2fsck", "losetup", "mount", "umount", "python3"]) {
    if (spawnSync("which", [tool]).status !== 0) return `there is no ${tool}`;
  }
  const device = spawnSync("losetup", ["--find"], { encoding: "utf8" });
  return device.status === 0 ? null : `there is no loop device: ${device.stderr.trim()}`;
}

/** A disk whose power can be cut: ext4, as it is by default, on a loop device over a sparse file. */
export class Disk {
  readonly folder: string;
  readonly #image: string;
  readonly #bytes: number;
  #device = "";

  private constructor(below: string, bytes: number) {
    this.folder = join(below, "disk");
    this.#image = join(below, "image");
    this.#bytes = bytes;
  }

  static make(below: string, bytes = USUAL_BYTES): Disk {
    const disk = new Disk(below, bytes);
    mkdirSync(disk.folder, { recursive: true });
    disk.#fill();
    return disk;
  }

  /** Loses everything that was written and not synced, and kills every process that has a file open on the disk. */
  async cutPower(): Promise<void> {
    run("python3", CUT, this.folder);
    await this.#unmount();
    this.#mount();
  }

  /** Empties it. */
  async replace(): Promise<void> {
    await this.#unmount();
    this.#fill();
  }

  /** The errors that `e2fsck` finds; empty for none. Kills every process that uses the disk. */
  async check(): Promise<string> {
    await this.#unmount(false);
    const { status, stdout } = spawnSync("e2fsck", ["-fn", this.#device], { encoding: "utf8" });
    this.#mount(this.#device);
    return status === 0 ? "" : stdout;
  }

  async remove(): Promise<void> {
    await this.#unmount();
    rmSync(this.#image, { force: true });
  }

  #fill(): void {
    const image = openSync(this.#image, "w");
    ftruncateSync(image, this.#bytes);
    closeSync(image);
    // No blocks that only root may write: the engines run as somebody else.
    run("mkfs.ext4", "-q", "-F", "-b", "4096", "-m", "0", this.#image);
    this.#mount();
  }

  #mount(device = run("losetup", "--find", "--show", this.#image).trim()): void {
    this.#device = device;
    run("mount", "-t", "ext4", device, this.folder);
  }

  async #unmount(detaches = true): Promise<void> {
    const deadline = Date.now() + UNMOUNTED_WITHIN_MS;
    for (;;) {
      killUsersOf(this.folder);
      if (spawnSync("umount", [this.folder]).status === 0) break;
      if (Date.now() > deadline) throw new Error(`${this.folder} cannot be unmounted`);
      await wait(50);
    }
    if (detaches) run("losetup", "--detach", this.#device);
  }
}

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")}: ${error?.message ?? stderr}`);
  return stdout;
}
