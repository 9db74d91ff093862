import { type ImageRules, problemWith } from "./image-rules.ts";
import { SendError, sendFile } from "./send-file.ts";

/** The elements of an image control, which `image-control.ts` has written. */
interface Parts {
  readonly drop: HTMLElement;
  readonly file: HTMLInputElement;
  readonly progress: HTMLProgressElement;
  readonly status: HTMLElement;
  readonly chosen: HTMLImageElement;
  readonly stop: HTMLElement;
  readonly remove: HTMLElement;
  readonly details: HTMLDetailsElement;
  readonly address: HTMLInputElement;
}

/** The image controls of a form, from now on with a place to drop files. */
export function findImageBoxes(form: HTMLFormElement): ImageBox[] {
  return [...form.querySelectorAll<HTMLElement>("[data-image]")].flatMap((box) => {
    const parts = findParts(box);
    if (parts === null) return [];
    const { types = "", maxBytes, grants = "" } = box.dataset;
    return [new ImageBox(parts, { types: types.split(","), maxBytes: Number(maxBytes) }, grants)];
  });
}

/** One image control: at rest, or sending the file that was chosen last. */
export class ImageBox {
  readonly #parts: Parts;
  readonly #rules: ImageRules;
  readonly #grants: string;
  /** What is being sent; null at rest. */
  #sending: { readonly giveUp: AbortController; readonly work: Promise<boolean> } | null = null;

  constructor(parts: Parts, rules: ImageRules, grants: string) {
    this.#parts = parts;
    this.#rules = rules;
    this.#grants = grants;
    const { drop, file, stop, remove, details, address } = parts;
    drop.hidden = false;
    details.open = false;
    if (address.autofocus) file.focus();
    this.#show();

    file.addEventListener("change", () => this.#take(file.files?.[0]));
    stop.addEventListener("click", () => this.#sending?.giveUp.abort());
    remove.addEventListener("click", () => {
      this.#setAddress("");
      this.#say("The image is removed.");
      file.focus();
    });
    address.addEventListener("input", () => this.#show());
    addEventListener("pageshow", () => this.#show());
    for (const kind of ["dragenter", "dragover"]) {
      drop.addEventListener(kind, () => drop.classList.add("over"));
    }
    for (const kind of ["dragleave", "drop"]) {
      drop.addEventListener(kind, () => drop.classList.remove("over"));
    }
    drop.addEventListener("drop", (event) => this.#take(event.dataTransfer?.files[0]));
  }

  get isSending(): boolean {
    return this.#sending !== null;
  }

  /** Resolves when nothing is being sent any more, with whether the file has arrived. */
  async settled(): Promise<boolean> {
    return (await this.#sending?.work) ?? true;
  }

  #take(given: File | undefined): void {
    if (given === undefined) return;
    this.#sending?.giveUp.abort();
    const problem = problemWith(given, this.#rules);
    if (problem !== null) {
      this.#rest();
      this.#say(problem, true);
      return;
    }
    const giveUp = new AbortController();
    this.#begin();
    this.#sending = { giveUp, work: this.#send(given, giveUp.signal) };
  }

  async #send(given: File, signal: AbortSignal): Promise<boolean> {
    const isCurrent = () => this.#sending?.giveUp.signal === signal;
    const tell = (percent: number) => {
      if (isCurrent()) this.#parts.progress.value = percent;
    };
    try {
      const arrived = await sendFile(given, this.#grants, { signal, tell });
      if (!isCurrent()) return false;
      this.#rest();
      this.#setAddress(arrived);
      this.#say("The image has arrived.");
      return true;
    } catch (error) {
      if (!isCurrent()) return false;
      this.#rest();
      if (signal.aborted) this.#say("Stopped.");
      else this.#say(error instanceof SendError ? error.message : "The image could not be sent.", true);
      return false;
    }
  }

  #begin(): void {
    const { progress, stop } = this.#parts;
    progress.value = 0;
    progress.hidden = false;
    stop.hidden = false;
    this.#say("Sending…");
  }

  #rest(): void {
    const { progress, stop, file } = this.#parts;
    this.#sending = null;
    progress.hidden = true;
    stop.hidden = true;
    // So that the same file can be chosen once more.
    file.value = "";
  }

  #say(words: string, isProblem = false): void {
    const { status } = this.#parts;
    status.classList.toggle("error", isProblem);
    status.textContent = words;
  }

  #setAddress(value: string): void {
    const { address } = this.#parts;
    address.value = value;
    address.dispatchEvent(new Event("input", { bubbles: true }));
  }

  #show(): void {
    const { chosen, remove, address } = this.#parts;
    const isThere = /^https?:\/\//i.test(address.value.trim());
    remove.hidden = !isThere;
    chosen.hidden = !isThere;
    if (!isThere) chosen.removeAttribute("src");
    else if (chosen.getAttribute("src") !== address.value.trim()) chosen.src = address.value.trim();
  }
}

function findParts(box: HTMLElement): Parts | null {
  const drop = box.querySelector<HTMLElement>("[data-drop]");
  const file = box.querySelector<HTMLInputElement>("[data-file]");
  const progress = box.querySelector<HTMLProgressElement>("[data-progress]");
  const status = box.querySelector<HTMLElement>("[data-status]");
  const chosen = box.querySelector<HTMLImageElement>("[data-chosen]");
  const stop = box.querySelector<HTMLElement>("[data-cancel]");
  const remove = box.querySelector<HTMLElement>("[data-remove]");
  const details = box.querySelector<HTMLDetailsElement>("[data-address]");
  const address = details?.querySelector("input") ?? null;
  if (!drop || !file || !progress || !status || !chosen || !stop || !remove || !details || !address) {
    return null;
  }
  return { drop, file, progress, status, chosen, stop, remove, details, address };
}
