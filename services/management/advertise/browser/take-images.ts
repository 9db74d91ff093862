import { findImageBoxes } from "./image-box.ts";

/** Lets files be chosen or dropped where images are asked for; the form is sent only when all have arrived. */
export function takeImages(form: HTMLFormElement): void {
  const boxes = findImageBoxes(form);
  const note = form.querySelector<HTMLElement>("[data-waits]");
  const say = (words: string) => {
    if (note !== null) note.textContent = words;
  };

  // A file that misses its place must not take the page away.
  for (const kind of ["dragover", "drop"]) addEventListener(kind, (event) => event.preventDefault());

  form.addEventListener("submit", (event) => {
    if (!boxes.some((box) => box.isSending)) return;
    event.preventDefault();
    say("Your ad is sent as soon as the image has arrived.");
    void Promise.all(boxes.map((box) => box.settled())).then((arrived) => {
      say("");
      if (arrived.every(Boolean)) form.requestSubmit();
    });
  });
}
