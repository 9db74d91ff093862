import { createServer } from "node:http";
import { listenOnLoopback } from "#libs/process/ports.ts";

/** A server that test files share. */
export interface Lent {
  /** Its address and credentials, for the files. */
  readonly address: string;
  close(): Promise<void>;
}

export interface Lender {
  /** For `borrow`, in another process. */
  readonly url: string;
  /** Closes the server, if any file has asked for it. */
  close(): Promise<void>;
}

/**
 * One server for a whole run of vitest: started when the first test file asks, closed by its lender. For global
 * set-ups, which run for every project, whether it needs the server or not.
 */
export async function lend(start: () => Promise<Lent>): Promise<Lender> {
  let lent: Promise<Lent> | undefined;
  const server = createServer((_request, response) => {
    lent ??= start();
    lent.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      // One that did not start has told the test files already.
      await lent?.then(
        (started) => started.close(),
        () => {},
      );
    },
  };
}

/** The address of what is lent at this `url`. Rejects with the reason when it could not be started. */
export async function borrow(url: string): Promise<string> {
  const response = await fetch(url);
  const body = await response.text();
  if (!response.ok) throw new Error(`The server for the tests did not start: ${body}`);
  return body;
}
