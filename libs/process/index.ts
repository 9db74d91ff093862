// What an operator types
export { commandLine } from "./command-line.ts";
// Network
export { listen } from "./listen.ts";
export { hostForUrl, isLoopback, readPublicUrl, readTls, refusePlainHttp, type Tls } from "./network.ts";
// What a process tells Prometheus of itself
export { measureProcess } from "./process-metrics.ts";
// Life of the process
export { type Command, continueUnlessStopped, runCommand, runService, type ServiceProgram } from "./run.ts";
// Secrets
export { deriveSecrets, type Secrets } from "./secrets.ts";
export { StartError, using } from "./start-error.ts";
