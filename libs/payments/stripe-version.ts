/** The version of Stripe's API that the adapter asks for and the sandbox speaks; it moves with the SDK. */
export const API_VERSION = "2026-10-28.endive";
