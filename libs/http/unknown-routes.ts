import type { FastifyInstance } from "fastify";
import { sendError } from "./error-answers.ts";
import { unknownRoute } from "./unknown-route.ts";

/** Answers an unknown path with 404, and a known one with a method it does not have with 405 and `Allow`. */
export function answerUnknownRoutes(app: FastifyInstance): void {
  app.setNotFoundHandler((request, reply) => sendError(reply, unknownRoute(app, request)));
}
