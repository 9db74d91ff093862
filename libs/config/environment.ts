/** The environment as the process was started with. A service's `main.ts` asks once and passes values down. */
export function processEnvironment(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
