/** Why the installation cannot start, in one sentence that a person can act on. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Does something with a part of the installation; throws `StartError` that names the part when that fails. */
export async function using<T>(part: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${part} cannot be used: ${reason}.`, { cause: error });
  }
}
