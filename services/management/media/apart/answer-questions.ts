import type { MessagePort } from "node:worker_threads";
import { createFavicons } from "#libs/favicon/index.ts";
import { createImageFetcher, type Network } from "#libs/guarded-fetch/index.ts";
import type { Answer, ApartData, Question } from "./messages.ts";

/** Answers the main thread's questions in this one. Without `network` only the public internet can be reached. */
export function answerQuestions(
  port: MessagePort,
  { contact: address, maxImageBytes: maxBytes }: ApartData,
  network?: Network,
): void {
  const common = { contact: new URL(address), ...(network === undefined ? {} : { network }) };
  const favicons = createFavicons(common);
  const images = createImageFetcher({ ...common, maxBytes });
  const open = new Map<number, AbortController>();

  async function answer({ id, what, address: asked }: Exclude<Question, { what: "stop" }>): Promise<Answer> {
    const stop = new AbortController();
    open.set(id, stop);
    try {
      const url = new URL(asked);
      return what === "icon"
        ? { id, what, finding: await favicons.find(url, stop.signal) }
        : { id, what, finding: await images.fetch(url, stop.signal) };
    } catch (error) {
      return { id, what: "failure", message: error instanceof Error ? error.message : String(error) };
    } finally {
      open.delete(id);
    }
  }

  port.on("message", (question: Question) => {
    if (question.what === "stop") open.get(question.id)?.abort();
    else void answer(question).then((given) => port.postMessage(given));
  });
}
