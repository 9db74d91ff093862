// Being reached
export { listen } from "./listen.ts";
export { isLoopback } from "./loopback.ts";
export { hostForUrl, readPublicUrl, readTls, refusePlainHttp, type Tls } from "./network.ts";

// From the start to the end
export { type Command, goOnUnlessStopped, runCommand, runService, type ServiceProgram } from "./run.ts";
// What an installation keeps to itself
export { deriveSecrets, type Secrets } from "./secrets.ts";
export { StartError, using } from "./start-error.ts";
