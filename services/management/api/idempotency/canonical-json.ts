/** A list or an object that is being written. */
interface Container {
  readonly end: string;
  /** An object's keys; null for a list. */
  readonly keys: readonly string[] | null;
  readonly values: readonly unknown[];
  /** The index of the value to write next. */
  next: number;
}

/**
 * A JSON value as text that is the same for equal values: without white space, and with the keys of objects in order. It
 * does not recurse, so a value of any depth has one, and takes little more time than the parser: a hostile body of the
 * largest size keeps nobody waiting.
 */
export function canonicalJson(whole: unknown): string {
  let text = "";
  const open: Container[] = [{ end: "", keys: null, values: [whole], next: 0 }];
  for (let inner = open.at(-1); inner !== undefined; inner = open.at(-1)) {
    const { keys, values, next, end } = inner;
    if (next === values.length) {
      text += end;
      open.pop();
      continue;
    }
    inner.next = next + 1;
    if (next > 0) text += ",";
    if (keys !== null) text += `${JSON.stringify(keys[next])}:`;
    const value = values[next];
    if (typeof value === "string") text += JSON.stringify(value);
    else if (typeof value !== "object" || value === null) text += String(value);
    else {
      text += Array.isArray(value) ? "[" : "{";
      open.push(containerOf(value));
    }
  }
  return text;
}

function containerOf(value: object): Container {
  if (Array.isArray(value)) return { end: "]", keys: null, values: value, next: 0 };
  const keys = Object.keys(value);
  if (keys.length < 2) return { end: "}", keys, values: Object.values(value), next: 0 };
  const known = new Map<string, unknown>(Object.entries(value));
  // Without a comparison of its own, which would take several times as long.
  keys.sort();
  return { end: "}", keys, values: keys.map((key) => known.get(key)), next: 0 };
}
