// HTML made of texts that nobody has to remember to escape

export { Html, html } from "./html.ts";
