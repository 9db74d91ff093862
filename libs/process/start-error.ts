/** The reason why the installation cannot start, in one sentence that the operator can act on. */
export class StartError extends Error {
  override readonly name = "StartError";
}

/** Runs `act`; throws a `StartError` that names the part of the installation when it fails. */
export async function using<T>(part: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`${part} cannot be used: ${reason.replace(/\.$/, "")}.`, { cause: error });
  }
}
