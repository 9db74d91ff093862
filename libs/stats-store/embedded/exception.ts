/** An error as ClickHouse's HTTP interface gives it: a number in a header, the text as the body. */
export class ClickHouseException extends Error {
  override readonly name = "ClickHouseException";
  readonly code: number;
  readonly status: number;

  constructor(code: number, type: string, message: string, status = 500) {
    super(`Code: ${code}. DB::Exception: ${message}. (${type})`);
    this.code = code;
    this.status = status;
  }
}

const UNKNOWN_EXCEPTION = 1002;

/** The number in the text of an engine's error. */
export function exceptionCode(error: unknown): number {
  if (error instanceof ClickHouseException) return error.code;
  const [, code] = /^Code: (\d+)\. /.exec(error instanceof Error ? error.message : "") ?? [];
  return code === undefined ? UNKNOWN_EXCEPTION : Number(code);
}

/**
 * The text that goes over the wire. The engine cuts its text at a null byte, which may be in the row it complains
 * of; clients recognise an exception by the name at the end, so one is put there.
 */
export function exceptionText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /\([A-Z][A-Z0-9_]{2,}\)/.test(text) ? text : `${text} (UNKNOWN_EXCEPTION)`;
}
