/** The same text in memory of its own: a part of a text keeps all of it in memory, which may be a whole request. */
export function copyText(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
