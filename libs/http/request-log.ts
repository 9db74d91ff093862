import type { FastifyBaseLogger } from "fastify";
import type { Bindings, ChildLoggerOptions, Logger } from "pino";

type Level = "fatal" | "error" | "warn" | "info" | "debug" | "trace" | "silent";

/** A request's logger that is made only when something is logged: a pino child per request is costly, and few log. */
export class RequestLog implements FastifyBaseLogger {
  readonly #parent: Logger;
  readonly #bindings: Bindings;
  #made: Logger | undefined;

  constructor(parent: Logger, bindings: Bindings) {
    this.#parent = parent;
    this.#bindings = bindings;
  }

  get level(): string {
    return this.#parent.level;
  }
  fatal(...line: unknown[]): void {
    this.#write("fatal", line);
  }
  error(...line: unknown[]): void {
    this.#write("error", line);
  }
  warn(...line: unknown[]): void {
    this.#write("warn", line);
  }
  info(...line: unknown[]): void {
    this.#write("info", line);
  }
  debug(...line: unknown[]): void {
    this.#write("debug", line);
  }
  trace(...line: unknown[]): void {
    this.#write("trace", line);
  }
  silent(): void {}

  child(bindings: Bindings, options?: ChildLoggerOptions): FastifyBaseLogger {
    return this.#logger().child(bindings, options);
  }

  #logger(): Logger {
    this.#made ??= this.#parent.child(this.#bindings);
    return this.#made;
  }

  #write(level: Level, line: unknown[]): void {
    if (!this.#parent.isLevelEnabled(level)) return;
    const logger = this.#logger();
    Reflect.apply(logger[level], logger, line);
  }
}
