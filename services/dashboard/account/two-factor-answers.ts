/** What an authenticator is set up with, and the codes that replace it. */
export interface TwoFactorSecret {
  readonly otpauth: string;
  readonly codes: readonly string[];
}

/** The secret in an answer of better-auth. Throws for an answer without one. */
export function readSecret(answer: unknown): TwoFactorSecret {
  if (typeof answer === "object" && answer !== null && "totpURI" in answer) {
    const { totpURI } = answer;
    if (typeof totpURI === "string") return { otpauth: totpURI, codes: readCodes(answer) };
  }
  throw new Error("the answer has no secret");
}

/** The recovery codes in an answer of better-auth. Throws for an answer without any. */
export function readCodes(answer: unknown): readonly string[] {
  if (typeof answer === "object" && answer !== null && "backupCodes" in answer) {
    const { backupCodes } = answer;
    if (Array.isArray(backupCodes)) return backupCodes.filter((one) => typeof one === "string");
  }
  throw new Error("the answer has no recovery codes");
}

/** What somebody types into an authenticator that cannot scan, in groups of four. */
export function secretIn(otpauth: string): string {
  const secret = new URL(otpauth).searchParams.get("secret") ?? "";
  return secret.replace(/.{4}(?=.)/g, "$& ");
}
