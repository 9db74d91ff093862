// The script of the page at /demo: tells what the embed reports, and plays a site with pages of one document.

const KEPT_LINES = 30;
const log = document.querySelector("#reports");

function note(words: string): void {
  const line = document.createElement("li");
  line.textContent = words;
  log?.prepend(line);
  while ((log?.childElementCount ?? 0) > KEPT_LINES) log?.lastElementChild?.remove();
}

document.body.addEventListener("placard:filled", ({ detail: { ads } }) =>
  note(`Filled with ${ads.map(({ name }) => name).join(", ")}`),
);
document.body.addEventListener("placard:empty", () => note("A slot has no ad left to show"));
document.body.addEventListener("placard:failed", () => note("A slot could not be filled"));
document.body.addEventListener("placard:impression", ({ detail: { ad, success } }) =>
  note(success ? `Impression of ${ad.name}` : `An impression of ${ad.name} was not taken`),
);
document.body.addEventListener("placard:click", ({ detail: { ad } }) => note(`Click on ${ad.name}`));

let pages = 0;
document.querySelector("#next-page")?.addEventListener("click", () => {
  pages += 1;
  history.pushState(null, "", `/demo/${pages}${location.search}`);
  note(`Page ${pages} of this site`);
});
