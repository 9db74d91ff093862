/** Why the installation cannot start, in one sentence that a person can act on. */
export class StartError extends Error {
  override readonly name = "StartError";
}
