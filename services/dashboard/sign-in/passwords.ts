/** As the server has it. */
const SHORTEST = 8;

/** What is wrong with a password that somebody chooses, at the input of that name; nothing for a good one. */
export function checkNewPassword(key: string, password: string): Readonly<Record<string, string>> {
  return password.length < SHORTEST ? { [key]: `Use at least ${SHORTEST} characters.` } : {};
}
