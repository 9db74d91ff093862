/** What the address of the first steps holds: nothing for the tier, then `tag`. */
export interface FirstStepsSearch {
  readonly step?: "tag";
}

export function readFirstStepsSearch({ step }: Record<string, unknown>): FirstStepsSearch {
  return step === "tag" ? { step } : {};
}
