import { inPieces } from "#libs/async/index.ts";
import {
  type ListFileState,
  openWatchedFile,
  type WatchedFile,
  type WatchedFileSource,
} from "#libs/files/index.ts";
import { UserAgentPatterns } from "./user-agent-patterns.ts";

/** A list of the operator. Takes user agents in lower case. */
export interface UserAgentList {
  /** Active entries. */
  readonly entries: number;
  has(userAgent: string): boolean;
}

export interface RobotList extends UserAgentList {
  /** As `has`, without the entries that are not needed for user agents that a list of browsers has. */
  hasAmongBrowsers(userAgent: string): boolean;
}

const MAX_BYTES = 1024 * 1024;
const MAX_ENTRIES = 20_000;
const LONGEST_PATTERN = 200;
/** Lines per round of the event loop, a few milliseconds. */
const LINES_IN_A_ROW = 500;
const BYTE_ORDER_MARK = /^\u00ef\u00bb\u00bf/;
const LONGEST_SHOWN = 60;

/** How many fields a line has, without and with the date on which its entry became inactive. */
const BROWSER_FIELDS = 3;
const ROBOT_FIELDS = 6;

/**
 * Reads a list of browsers in the form of the IAB/ABC International Spiders and Bots List. Each line is
 * `pattern|active|start`, where `start` is 1 if the pattern has to be at the start of the user agent; a line may have the date on
 * which it became inactive behind that. Only active entries (1) count; upper and lower case are the same; a pattern is taken as it
 * is written, blanks included. Lines that begin with `#` are comments, blank ones are ignored.
 *
 * Sources of the form: the comments in https://iabtechlab.com/wp-content/uploads/2025/08/IAB-SpidersBots-Sample.zip, and
 * https://github.com/snowplow/iab-spiders-and-robots-java-client, which reads both lists. How they are used:
 * https://readkong.com/page/iab-abc-international-spiders-bots-list-5809174.
 *
 * Rejects with an error that names the line where a line has another form, and where no entry is active: an empty file by mistake
 * would make a bot of every visitor.
 */
export async function readBrowsers(bytes: Buffer): Promise<UserAgentList> {
  const patterns = new UserAgentPatterns();
  for await (const line of activeLines(bytes, BROWSER_FIELDS)) {
    patterns.add({ text: line.pattern(), isAtStart: line.flag(2), exceptions: [] });
    refuseMany(patterns);
  }
  refuseNone(patterns);
  return { entries: patterns.size, has: (userAgent) => patterns.match(userAgent) };
}

/**
 * Reads a list of robots in the same form. Each line is `pattern|active|exceptions|redundant|impact|start`: exceptions are parts of
 * user agents that do not match in spite of the pattern, separated by commas; redundant entries (1) are not needed for those who use the
 * list of browsers, too. Impact says whether pages or ads are mostly concerned, and is not looked at: a robot sees neither.
 */
export async function readRobots(bytes: Buffer): Promise<RobotList> {
  const all = new UserAgentPatterns();
  const amongBrowsers = new UserAgentPatterns();
  for await (const line of activeLines(bytes, ROBOT_FIELDS)) {
    const robot = { text: line.pattern(), isAtStart: line.flag(5), exceptions: line.patterns(2) };
    all.add(robot);
    refuseMany(all);
    if (!line.flag(3)) amongBrowsers.add(robot);
  }
  refuseNone(all);
  return {
    entries: all.size,
    has: (userAgent) => all.match(userAgent),
    hasAmongBrowsers: (userAgent) => amongBrowsers.match(userAgent),
  };
}

/**
 * Opens a list of at most 1 MiB. `use` gets it, and again whenever the file has changed. A list that cannot be used is warned of once,
 * and the last good one stays. Rejects when there is no good one to begin with.
 */
export async function openUserAgentList<List extends UserAgentList>(
  source: WatchedFileSource,
  read: (bytes: Buffer) => Promise<List>,
  use: (list: List) => void,
): Promise<Pick<WatchedFile<List>, "close"> & { state(): ListFileState }> {
  const list = await openWatchedFile({ ...source, maxBytes: MAX_BYTES, read, onContent: use });
  return {
    state: () => ({ entries: list.content().entries, ...list.state() }),
    close: () => list.close(),
  };
}

/** The lines of active entries. Latin-1, as header fields are read. */
async function* activeLines(bytes: Buffer, fieldCount: number): AsyncGenerator<Line, void> {
  const text = bytes.toString("latin1").replace(BYTE_ORDER_MARK, "");
  let number = 0;
  for await (const piece of inPieces(text.split("\n"), LINES_IN_A_ROW)) {
    for (const content of piece) {
      number += 1;
      if (content.startsWith("#") || content.trim() === "") continue;
      const line = new Line(content, number, fieldCount);
      if (line.flag(1)) yield line;
    }
  }
}

/** An entry. Patterns are in lower case. Throws errors that name the line. */
class Line {
  readonly #content: string;
  readonly #number: number;
  readonly #fields: readonly string[];

  constructor(content: string, number: number, fieldCount: number) {
    this.#content = content;
    this.#number = number;
    this.#fields = content.split("|");
    const { length } = this.#fields;
    // The number of fields tells the lists apart: browsers read as robots would make every visitor a bot.
    if (length !== fieldCount && length !== fieldCount + 1)
      throw this.#error(`has ${length} fields instead of ${fieldCount} or ${fieldCount + 1}`);
  }

  flag(index: number): boolean {
    const value = this.#fields[index]?.trim();
    if (value !== "0" && value !== "1") throw this.#error(`has neither 0 nor 1 in field ${index + 1}`);
    return value === "1";
  }

  pattern(): string {
    const pattern = this.#fields[0] ?? "";
    if (pattern.trim() === "") throw this.#error("has no pattern");
    return this.#bounded(pattern);
  }

  patterns(index: number): readonly string[] {
    const patterns = (this.#fields[index] ?? "").split(",").map((pattern) => this.#bounded(pattern.trim()));
    return patterns.filter((pattern) => pattern !== "");
  }

  #bounded(pattern: string): string {
    if (pattern.length > LONGEST_PATTERN)
      throw this.#error(`has a pattern of more than ${LONGEST_PATTERN} characters`);
    return pattern.toLowerCase();
  }

  #error(problem: string): Error {
    const shown = JSON.stringify(this.#content.trimEnd().slice(0, LONGEST_SHOWN));
    return new Error(`line ${this.#number} ${problem}: ${shown}`);
  }
}

function refuseMany({ size }: UserAgentPatterns): void {
  if (size > MAX_ENTRIES) throw new Error(`it has more than ${MAX_ENTRIES} active entries`);
}

function refuseNone({ size }: UserAgentPatterns): void {
  if (size === 0) throw new Error("it has no active entry");
}
