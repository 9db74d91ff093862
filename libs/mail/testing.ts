/** A mail as its reader sees it. */
export interface ReadMail {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Reads a plain-text mail (RFC 5322, 2045 and 2047), for tests. Throws when a header or encoding is not what it knows. */
export function readMail(raw: string): ReadMail {
  const end = raw.indexOf("\r\n\r\n");
  if (end === -1) throw new Error("a mail without an empty line after its headers");
  const headers = new Map(
    raw
      .slice(0, end)
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => {
        const colon = line.indexOf(":");
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
  );
  const header = (name: string) => headers.get(name) ?? "";
  const body = raw.slice(end + 4);
  return {
    from: header("from"),
    to: header("to"),
    subject: decodeWords(header("subject")),
    text: decodeBody(body, header("content-transfer-encoding")).replaceAll("\r\n", "\n"),
  };
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === "7bit") return body;
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding === "quoted-printable") return fromQuoted(body.replace(/=\r\n/g, ""));
  throw new Error(`a mail in ${encoding}`);
}

function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_all, kind: string, coded: string) =>
      kind.toLowerCase() === "b"
        ? Buffer.from(coded, "base64").toString("utf8")
        : fromQuoted(coded.replaceAll("_", " ")),
    );
}

function fromQuoted(coded: string): string {
  const bytes = coded.replace(/=([0-9A-F]{2})/gi, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, "latin1").toString("utf8");
}
