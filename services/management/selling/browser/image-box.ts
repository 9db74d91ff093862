import type { ImageRules } from "#libs/domain/image-rules.ts";
import { type FileRules, problemWith, SendError, sendFile, sizeProblem } from "./send-file.ts";

type Parts = NonNullable<ReturnType<typeof findParts>>;

/** One image control: idle, or sending the file that was chosen last. */
class ImageBox {
  readonly #parts: Parts;
  readonly #rules: FileRules;
  readonly #grants: string;
  /** The upload under way; null while idle. */
  #sending: { readonly giveUp: AbortController; readonly work: Promise<boolean> } | null = null;

  constructor(parts: Parts, rules: FileRules, grants: string) {
    this.#parts = parts;
    this.#rules = rules;
    this.#grants = grants;
    const { drop, file, stop, remove, details, address } = parts;
    drop.hidden = false;
    details.open = false;
    if (address.autofocus) file.focus();
    this.#show();

    file.addEventListener("change", () => this.take(file.files?.[0]));
    stop.addEventListener("click", () => this.#sending?.giveUp.abort());
    remove.addEventListener("click", () => {
      this.#setAddress("");
      this.#say("Image removed.");
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
    drop.addEventListener("drop", (event) => this.take(event.dataTransfer?.files[0]));
  }

  get isSending(): boolean {
    return this.#sending !== null;
  }

  /** Resolves once no upload is under way, with whether the last one succeeded. */
  async settled(): Promise<boolean> {
    return (await this.#sending?.work) ?? true;
  }

  /** The name of the value that it makes. */
  get name(): string {
    return this.#parts.address.name;
  }

  take(given: File | undefined): void {
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
      const problem = await sizeProblem(given, this.#rules.image);
      if (!isCurrent()) return false;
      if (problem !== null) {
        this.#rest();
        this.#say(problem, true);
        return false;
      }
      const arrived = await sendFile(given, this.#grants, { signal, tell });
      if (!isCurrent()) return false;
      this.#rest();
      this.#setAddress(arrived);
      this.#say("Image uploaded.");
      return true;
    } catch (error) {
      if (!isCurrent()) return false;
      this.#rest();
      if (signal.aborted) this.#say("Upload canceled.");
      else this.#say(error instanceof SendError ? error.message : "The image couldn't be uploaded.", true);
      return false;
    }
  }

  #begin(): void {
    const { progress, stop } = this.#parts;
    progress.value = 0;
    progress.hidden = false;
    stop.hidden = false;
    this.#say("Uploading…");
  }

  #rest(): void {
    const { progress, stop, file } = this.#parts;
    this.#sending = null;
    progress.hidden = true;
    stop.hidden = true;
    // So that the same file can be chosen again.
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

/** The elements of an image control (`submission/field-control.ts`). */
function findParts(box: HTMLElement) {
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

/**
 * Lets the image controls of a form take chosen and dropped files; the form is submitted once all are uploaded. Returns a function that
 * gives the control with that name a file.
 */
export function takeImages(form: HTMLFormElement): (name: string, file: File) => void {
  const boxes = [...form.querySelectorAll<HTMLElement>("[data-image]")].flatMap((box) => {
    const parts = findParts(box);
    if (parts === null) return [];
    const { types = "", maxBytes, grants = "", rules = "null" } = box.dataset;
    const image: ImageRules | null = JSON.parse(rules);
    return [new ImageBox(parts, { types: types.split(","), maxBytes: Number(maxBytes), image }, grants)];
  });
  const note = form.querySelector<HTMLElement>("[data-waits]");
  const say = (words: string) => {
    if (note !== null) note.textContent = words;
  };

  // A file dropped beside the control must not replace the page.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

  form.addEventListener("submit", (event) => {
    if (!boxes.some((box) => box.isSending)) return;
    event.preventDefault();
    say("Your ad will be submitted as soon as the image is uploaded.");
    void Promise.all(boxes.map((box) => box.settled())).then((arrived) => {
      say("");
      if (arrived.every(Boolean)) form.requestSubmit();
    });
  });

  return (name, file) => boxes.find((box) => box.name === name)?.take(file);
}
