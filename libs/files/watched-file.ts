import { readFile, stat } from "node:fs/promises";

const CHECK_EVERY_MS = 2_000;
const MIB = 1024 * 1024;

/** A file to watch, and where warnings about it go. */
export interface WatchedFileSource {
  readonly file: string;
  /** The setting that names the file. Warnings begin with it. */
  readonly setting: string;
  /** Is told why the file cannot be used, once per reason. */
  readonly onWarning: (message: string) => void;
  /** Milliseconds between two looks at the file. Default 2,000. */
  readonly checkEveryMs?: number;
}

export interface WatchedFileOptions<Content> extends WatchedFileSource {
  /** A larger file is not read. In bytes, whole MiB. */
  readonly maxBytes: number;
  /** Reads the content. Throws where it is not what it should be, with a message that fits behind "cannot be used: ". */
  readonly read: (bytes: Buffer) => Content | Promise<Content>;
  /** Gets the content at first, and each new one as soon as it is used. */
  readonly onContent?: (content: Content) => void;
}

/** For metrics. */
export interface WatchedFileState {
  /** When the file whose content is used was written, in milliseconds since the epoch. */
  readonly modifiedAt: number;
  /** Whether the content that is used is the file's as it is now. */
  readonly isCurrent: boolean;
  /** How many times the file could not be read, or was refused, since the start. */
  readonly failures: number;
}

/** The state of a file that is a list. */
export interface ListFileState extends WatchedFileState {
  /** Entries of the content that is used. */
  readonly entries: number;
}

/** A file of the operator, read again when it has changed. */
export interface WatchedFile<Content> {
  /** The last good content. */
  content(): Content;
  state(): WatchedFileState;
  /** Stops looking at the file. */
  close(): void;
}

/**
 * Opens a file and reads it again whenever it has changed. From time to time it looks at the path, so it finds a file that was
 * written in place, replaced by another, or is behind a link that leads elsewhere now. It reads the file when two looks in a row
 * see the same: one that is being written in place is half a file. Old and new content are both in memory while it reads. A file
 * that cannot be used is reported once, and the last good content stays. Rejects when there is none to begin with.
 */
export async function openWatchedFile<Content>(
  options: WatchedFileOptions<Content>,
): Promise<WatchedFile<Content>> {
  const { file, setting, onWarning, onContent, checkEveryMs = CHECK_EVERY_MS } = options;
  let used = await load(options, await lookAt(file));
  onContent?.(used.content);
  let isCurrent = true;
  let failures = 0;
  let problem: string | undefined;
  /** The version whose content is wrong: it is not read again. */
  let refused: string | undefined;
  let isClosed = false;
  let lastSeen = used.seen.version;

  async function check(): Promise<void> {
    let seen: Seen | undefined;
    try {
      seen = await lookAt(file);
      const isSettled = seen.version === lastSeen;
      lastSeen = seen.version;
      if (!isSettled || seen.version === refused) return;
      if (seen.version !== used.seen.version) {
        used = await load(options, seen);
        onContent?.(used.content);
      }
      isCurrent = true;
      problem = undefined;
      refused = undefined;
    } catch (error) {
      isCurrent = false;
      failures += 1;
      if (error instanceof WrongContent) refused = seen?.version;
      const reason = reasonOf(error);
      if (reason === problem) return;
      problem = reason;
      onWarning(`${setting} cannot be used: ${reason}. The last good file stays in use.`);
    }
  }

  const schedule = () => setTimeout(() => void check().then(again), checkEveryMs).unref();
  let timer = schedule();
  function again(): void {
    if (!isClosed) timer = schedule();
  }

  return {
    content: () => used.content,
    state: () => ({ modifiedAt: used.seen.modifiedAt, isCurrent, failures }),
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** The file could be read, and its content is not what it should be. */
class WrongContent extends Error {}

/** A file at a path, as it was seen at one time. */
interface Seen {
  /** Differs when the file was written to, or is another. */
  readonly version: string;
  readonly bytes: number;
  readonly modifiedAt: number;
}

async function lookAt(file: string): Promise<Seen> {
  const found = await stat(file);
  // Reading a pipe would wait for ever.
  if (!found.isFile()) throw new Error("it is not a file");
  const { dev, ino, size, mtimeMs, ctimeMs } = found;
  return { version: [dev, ino, size, mtimeMs, ctimeMs].join(), bytes: size, modifiedAt: mtimeMs };
}

interface Loaded<Content> {
  readonly seen: Seen;
  readonly content: Content;
}

/** A file that is written to meanwhile has another version than `seen` at the next look, and is then read again. */
async function load<Content>(
  { file, maxBytes, read }: WatchedFileOptions<Content>,
  seen: Seen,
): Promise<Loaded<Content>> {
  if (seen.bytes > maxBytes) throw new WrongContent(`it is larger than ${maxBytes / MIB} MiB`);
  const bytes = await readFile(file);
  try {
    return { seen, content: await read(bytes) };
  } catch (cause) {
    throw new WrongContent(reasonOf(cause), { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
