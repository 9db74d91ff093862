import { implement } from "@orpc/server";
import { managementContract } from "#libs/contract/index.ts";
import type { Actor } from "./access/actor.ts";
import type { RequestContext } from "./services.ts";

/** Where handlers are made: each one takes the contract's input and must return the contract's output. */
export const api = implement(managementContract).$context<RequestContext>();

/** The signed-in person or key. On endpoints that are not public `authorise` has made sure there is one. */
export function actorOf(context: RequestContext): Actor {
  if (context.actor === null) throw new Error("a handler of a guarded endpoint ran without an actor");
  return context.actor;
}

/** The membership that the caller acts with. On endpoints of a workspace `authorise` has made sure there is one. */
export function memberOf(context: RequestContext): NonNullable<Actor["member"]> {
  const { member } = actorOf(context);
  if (member === null) throw new Error("a handler of a workspace's endpoint ran without a member");
  return member;
}
