// The server

// Callers
export { type AddressKey, addressKey, addressKeyOf } from "./address-key.ts";
// Headers
export { openToBrowsers, PUBLIC_CORS_HEADERS } from "./cors.ts";
// Time
export { TimeoutError, within } from "./deadline.ts";
// Errors
export { type ErrorCode, type ErrorEnvelope, type FieldProblems, HttpError } from "./envelope.ts";
export { asHttpError, sendError } from "./error-answers.ts";
export { type HealthOptions, type ReadinessCheck, registerHealth } from "./health.ts";
export {
  conflict,
  httpError,
  invalidInput,
  methodNotAllowed,
  notFound,
  tooManyRequests,
  unavailable,
} from "./http-error.ts";
export { httpsHeaders } from "./https-only.ts";
export { createLogger, type LogLevel } from "./logger.ts";
export { isFromInside } from "./private-address.ts";
export { measureRequests } from "./request-metrics.ts";
export { JSON_SECURITY_HEADERS, registerSecurityHeaders } from "./security-headers.ts";
export { createServer, type ServerOptions } from "./server.ts";
export { createShutdown, type Shutdown } from "./shutdown.ts";
export { mapZodError } from "./zod-problems.ts";
