import type { IncomingHttpHeaders } from "node:http";
import { betterAuth } from "better-auth";
import { fromNodeHeaders } from "better-auth/node";
import { authOptions, type PeopleOptions } from "./auth-options.ts";

export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

/** People and their sessions, kept by better-auth in our tables. */
export interface People {
  /** Answers a request below `/api/auth`. */
  handle(request: Request): Promise<Response>;
  /** The person whose session cookie is in the headers, or null. */
  findBySession(headers: IncomingHttpHeaders): Promise<Person | null>;
  /** Whether a browser says that the request comes from a page of this site; requests of other clients say nothing. */
  isOwnOrigin(headers: IncomingHttpHeaders): boolean;
}

/** Opens the people of an installation. */
export function openPeople(options: PeopleOptions): People {
  const origins = ownOrigins(options.publicUrl);
  const auth = betterAuth(authOptions(options, origins));

  return {
    handle: (request) => auth.handler(request),
    async findBySession(headers) {
      if (headers.cookie === undefined) return null;
      const session = await auth.api.getSession({ headers: fromNodeHeaders(headers) });
      return session === null
        ? null
        : { id: session.user.id, name: session.user.name, email: session.user.email };
    },
    isOwnOrigin(headers) {
      if (headers["sec-fetch-site"] === "cross-site") return false;
      return headers.origin === undefined || origins.includes(headers.origin);
    },
  };
}

/** The public origin, and for a local installation both of its usual names. */
export function ownOrigins(publicUrl: URL): string[] {
  const loopback = ["127.0.0.1", "localhost"];
  if (!loopback.includes(publicUrl.hostname)) return [publicUrl.origin];
  return loopback.map((hostname) => {
    const url = new URL(publicUrl);
    url.hostname = hostname;
    return url.origin;
  });
}
