// What the pages do beyond their forms and links. Each part finds its elements by `data-…` and leaves other pages alone.
import { showCounts } from "./character-count.ts";
import { addColorPickers } from "./color-picker.ts";
import { completeUrl } from "./older-browsers.ts";
import { followPeriods } from "./periods.ts";
import { hideBrokenImages, keepPreview } from "./preview.ts";
import { sendFormsOnce } from "./send-once.ts";
import { takeImages } from "./take-images.ts";
import { awaitPayment } from "./wait-for-payment.ts";

completeUrl();
followPeriods(document);
sendFormsOnce(document);
awaitPayment(document);
hideBrokenImages(document);
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-submission]")) {
  takeImages(form);
  keepPreview(form);
  showCounts(form);
  addColorPickers(form);
}
