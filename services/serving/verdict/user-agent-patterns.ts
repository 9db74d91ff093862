/** A part of user agents, in lower case. */
export interface Pattern {
  readonly text: string;
  /** Whether the user agent has to begin with the text. */
  readonly isAtStart: boolean;
  /** A user agent that has one of these in it does not match. */
  readonly exceptions: readonly string[];
}

interface KeyedPattern extends Pattern {
  /** Where its key begins in the text. */
  readonly offset: number;
}

const KEY_LENGTH = 3;

/**
 * Thousands of patterns. Each is indexed by three of its characters, those that the fewest patterns before it use, as many begin alike.
 * Trying every pattern takes ten times as long for each new user agent, and anybody can send new ones.
 */
export class UserAgentPatterns {
  readonly #byKey = new Map<number, KeyedPattern[]>();
  /** Shorter than a key. */
  readonly #short: Pattern[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(pattern: Pattern): void {
    this.#size += 1;
    const { text } = pattern;
    if (text.length < KEY_LENGTH) {
      this.#short.push(pattern);
      return;
    }
    let [offset, fewest] = [0, Number.POSITIVE_INFINITY];
    for (let at = 0; at <= text.length - KEY_LENGTH && fewest > 0; at += 1) {
      const others = this.#byKey.get(keyAt(text, at))?.length ?? 0;
      if (others < fewest) [offset, fewest] = [at, others];
    }
    const key = keyAt(text, offset);
    const others = this.#byKey.get(key);
    if (others === undefined) this.#byKey.set(key, [{ ...pattern, offset }]);
    else others.push({ ...pattern, offset });
  }

  /** Whether a pattern matches the user agent, which is in lower case. */
  match(userAgent: string): boolean {
    for (let at = 0; at <= userAgent.length - KEY_LENGTH; at += 1) {
      const patterns = this.#byKey.get(keyAt(userAgent, at));
      if (patterns?.some((pattern) => isMatch(pattern, userAgent, at - pattern.offset))) return true;
    }
    return this.#short.some((pattern) => isMatch(pattern, userAgent, userAgent.indexOf(pattern.text)));
  }
}

/** Three characters as one number, for a fast lookup. Collisions only cost a comparison. */
function keyAt(text: string, at: number): number {
  const byteAt = (index: number) => text.charCodeAt(index) & 0xff;
  return (byteAt(at) << 16) | (byteAt(at + 1) << 8) | byteAt(at + 2);
}

/** Whether the pattern stands at this place of the user agent, and holds. */
function isMatch({ text, isAtStart, exceptions }: Pattern, userAgent: string, at: number): boolean {
  return (
    (isAtStart ? at === 0 : at >= 0) &&
    userAgent.startsWith(text, at) &&
    !exceptions.some((exception) => userAgent.includes(exception))
  );
}
