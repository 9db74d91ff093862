// Callers
export {
  type AddressKey,
  addressKey,
  addressKeyOf,
  NETWORKS_OF_A_SITE,
  reportedAddress,
  siteOf,
} from "./address-key.ts";
export { type AddressWords, readAddress } from "./address-words.ts";
export { isFromInside } from "./client-address.ts";
// Headers
export { compressAnswers, compressOnce } from "./compression.ts";
export { openToBrowsers, PUBLIC_CORS_HEADERS } from "./cors.ts";
export { type ErrorEnvelope, type FieldProblems, HttpError, type RefusedInput } from "./envelope.ts";
export { asHttpError, sendError } from "./error-answers.ts";
// Errors
export { matchesEtag } from "./etag.ts";
// Bounds
export { FairBytes, type Holding, holderOf } from "./fair-bytes.ts";
export { type HealthOptions, type ReadinessCheck, registerHealth } from "./health.ts";
export {
  conflict,
  httpError,
  invalidInput,
  malformedBody,
  methodNotAllowed,
  notFound,
  tooManyRequests,
  unavailable,
} from "./http-error.ts";
export { httpsHeaders } from "./https-only.ts";
export { createLogger, type LogLevel } from "./logger.ts";
export { costOfJson, parseJson } from "./plain-json.ts";
export { isPlainTarget } from "./plain-targets.ts";
export { type Rate, sendRate } from "./rate-headers.ts";
export { measureRequests } from "./request-metrics.ts";
export { JSON_SECURITY_HEADERS, registerSecurityHeaders } from "./security-headers.ts";
export { createServer, LONGEST_PARAMETER, type ServerOptions, SMALL_BODY } from "./server.ts";
export { mapZodError } from "./zod-problems.ts";
