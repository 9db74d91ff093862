import type { OpenAPI } from "@orpc/contract";
import { z } from "zod";
import { EVENT_KINDS } from "#libs/domain/event.ts";
import {
  LONGEST_VISITOR_ID,
  MOST_EVENTS,
  SERVER_EVENT_CODES,
  SERVER_EVENT_REFUSALS,
} from "#libs/domain/server-events.ts";
import { trackingKeyApi } from "./errors.ts";
import { ignoredUnlessText, whole } from "./text.ts";

/** An event as a server reports it. */
export const serverEvent = z.object({
  adId: z.string().meta({ examples: ["ad_01kahm4sw4fksra52s8bd8xkd1"] }),
  kind: z.enum(EVENT_KINDS),
  ip: z.union([z.ipv4(), z.ipv6()]).optional().meta({
    description:
      "The visitor's address. Only its hash is used, and not kept. With it the limits per address apply.",
  }),
  userAgent: z.string().optional().meta({
    description: "The visitor's. Without it nobody is taken for a bot: the server vouches for the visitor.",
  }),
  visitorId: z.string().min(1).max(LONGEST_VISITOR_ID).optional().meta({
    description:
      "Any name of yours for the visitor, by which duplicates are recognized instead of `ip` and `userAgent`. Only its hash is kept.",
  }),
  occurredAt: z.iso.datetime({ offset: true }).optional().meta({
    description: "Up to 24 hours back and 5 minutes ahead; now when left out.",
  }),
  placement: ignoredUnlessText({
    description: "Your name for the place of the ad, by which reports can be split.",
    example: "newsletter",
  }),
  path: ignoredUnlessText({
    description: "The path of the page, or its address, of which only the path is kept.",
    example: "/news",
  }),
  country: ignoredUnlessText({
    description:
      "The visitor's country by two letters (ISO 3166-1). Left out: that of `ip`, if the installation knows it.",
    example: "DE",
  }),
});
export type ServerEvent = z.output<typeof serverEvent>;

/** The body, before its events are looked at one by one. */
export const eventsBody = z.object(
  {
    events: z
      .array(z.unknown(), `Must be a list of 1 to ${MOST_EVENTS} events.`)
      .min(1, `Must be a list of 1 to ${MOST_EVENTS} events.`)
      .max(MOST_EVENTS, `Must be a list of 1 to ${MOST_EVENTS} events.`),
  },
  'Must be an object with a list of events: {"events": […]}.',
);

export const eventsAnswer = z.object({
  accepted: whole.meta({ description: "Events that are on durable storage now.", examples: [2] }),
  refused: z
    .array(
      z.object({
        index: whole.meta({ description: "Which event of the request it is, from 0.", examples: [1] }),
        code: z.enum(SERVER_EVENT_CODES).meta({
          description: SERVER_EVENT_CODES.map((code) => `\`${code}\`: ${SERVER_EVENT_REFUSALS[code]}`).join(
            " ",
          ),
        }),
      }),
    )
    .meta({ description: "The other events, which are not stored. The order is that of the request." }),
});
export type EventsAnswer = z.output<typeof eventsAnswer>;

const IDEMPOTENCY_KEY: OpenAPI.ParameterObject = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters. A request with the same key and the same events is counted once, however often and to whichever process it is sent. With other events it is another request. Events without `occurredAt` are recognized for a day.",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Implemented by the serving service, for servers: no browser may call it from another site. */
export const reportEvents = trackingKeyApi
  .route({
    method: "POST",
    path: "/workspaces/{workspaceId}/events",
    tags: ["Tracking"],
    summary: "Report events from a server",
    description: `1 to ${MOST_EVENTS} impressions and clicks with a tracking key. JSON, or NDJSON (\`application/x-ndjson\`, \`application/ndjson\` or \`application/jsonl\`) with one event a line; up to 1 MiB, also after \`Content-Encoding: gzip\`. The answer comes once everything accepted is on durable storage. An event that is refused has its index and a code; the others count. In an event, null is as if the key were left out. A body or a line that is no JSON is a 422, and nothing of the request is recorded. A workspace has a budget of events per minute (\`RateLimit-*\`). A request that is over it is answered 429, and nothing of it is recorded: send it again after \`Retry-After\`, with the same \`Idempotency-Key\`.`,
    spec: (operation) => ({
      ...operation,
      parameters: [...(operation.parameters ?? []), IDEMPOTENCY_KEY],
    }),
  })
  .input(
    z.object({
      workspaceId: z.string(),
      events: z.array(serverEvent).min(1).max(MOST_EVENTS),
    }),
  )
  .output(eventsAnswer);
