/** The result of a job's work; "stopped" once `signal` has aborted, which may be before the job begins. Not a failure then. */
export async function unlessStopped<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | "stopped"> {
  if (signal.aborted) return "stopped";
  try {
    return await work();
  } catch (error) {
    if (signal.aborted) return "stopped";
    throw error;
  }
}
