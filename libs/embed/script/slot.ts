import { drawCards } from "../card.ts";
import { drawFromTemplate } from "../template.ts";
import type { Ad, ClaimedAds } from "../types/embed.d.mts";
import { watchAd } from "../watch-ad.ts";
import { readSettings, type SlotSettings, settingsKey } from "./settings.ts";

export interface SlotWork {
  readonly claim: (request: SlotSettings["request"], signal: AbortSignal) => Promise<ClaimedAds>;
  /** Whether the ad has not been seen in this page view before. */
  readonly isFirstView: (adId: string) => boolean;
  readonly trackImpression: (adId: string) => Promise<boolean>;
  readonly trackClick: (adId: string) => boolean;
}

type State = "loading" | "filled" | "empty" | "failed";

/** A place for ads. The site's own elements in it show while there are no ads; `data-placard-state` shows its state. */
export class Slot {
  readonly #element: HTMLElement;
  readonly #work: SlotWork;
  #key: string | undefined;
  #claimed: ClaimedAds | undefined;
  #shown: HTMLElement[] = [];
  #stops: (() => void)[] = [];
  /** Gives up the latest filling. */
  #filling = new AbortController();

  constructor(element: HTMLElement, work: SlotWork) {
    this.#element = element;
    this.#work = work;
  }

  /** Whether its settings have changed since it was filled, or filling it has failed. */
  isDue(isOnlineAgain: boolean): boolean {
    const hasFailed = this.#element.dataset.placardState === "failed";
    return this.#key !== settingsKey(this.#element) || (isOnlineAgain && hasFailed);
  }

  /** Fills the slot again; its ads stay until then. Never rejects. */
  async fill(): Promise<void> {
    this.#letGo();
    const { signal } = this.#filling;
    const settings = readSettings(this.#element);
    this.#key = settingsKey(this.#element);
    if (this.#shown.length === 0) this.#say("loading");
    try {
      this.#claimed = await this.#work.claim(settings.request, signal);
      this.#show(this.#claimed.ads, settings);
    } catch (error) {
      if (signal.aborted) return;
      this.#clear();
      this.#say("failed", { error });
    }
  }

  /** Takes the ads off the page, and lets other slots show them. */
  close(): void {
    this.#letGo();
    this.#clear();
    delete this.#element.dataset.placardState;
  }

  #letGo(): void {
    this.#filling.abort();
    this.#filling = new AbortController();
    this.#claimed?.release();
    this.#claimed = undefined;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #clear(): void {
    for (const element of this.#shown.splice(0)) element.remove();
    for (const element of this.#fallback()) element.style.removeProperty("display");
  }

  #show(ads: readonly Ad[], settings: SlotSettings): void {
    const fallback = this.#fallback();
    const before = this.#shown.splice(0);
    if (ads.length > 0) {
      const drawn = this.#draw(ads, settings);
      this.#stops = ads.map((ad, index) => this.#watch(ad, drawn[index]));
      for (const element of fallback) element.style.setProperty("display", "none", "important");
    }
    for (const element of before) element.remove();
    if (ads.length === 0) this.#clear();
    this.#say(ads.length === 0 ? "empty" : "filled", { ads });
  }

  /** Puts the ads on the page; returns an element for each. */
  #draw(ads: readonly Ad[], { card, template }: SlotSettings): (HTMLElement | undefined)[] {
    const own =
      template === null ? this.#element.querySelector(":scope > template") : document.querySelector(template);
    if (own instanceof HTMLTemplateElement) {
      this.#shown = ads.map((ad) => drawFromTemplate(own, ad));
      this.#element.append(...this.#shown);
      return this.#shown;
    }
    const { host, cards } = drawCards(ads, card);
    this.#shown = [host];
    this.#element.append(host);
    return cards;
  }

  #watch(ad: Ad, element: HTMLElement | undefined): () => void {
    if (element === undefined) return () => {};
    const { isFirstView, trackImpression, trackClick } = this.#work;
    return watchAd(element, {
      seen: () => {
        if (!isFirstView(ad.id)) return;
        void trackImpression(ad.id).then((success) => this.#tell("impression", { ad, success }));
      },
      clicked: () => {
        trackClick(ad.id);
        this.#tell("click", { ad });
      },
    });
  }

  #fallback(): HTMLElement[] {
    return [...this.#element.children].filter(
      (child): child is HTMLElement =>
        child instanceof HTMLElement && child.localName !== "template" && !this.#shown.includes(child),
    );
  }

  #say(state: State, detail: object | null = null): void {
    this.#element.dataset.placardState = state;
    if (state !== "loading") this.#tell(state, detail);
  }

  #tell(what: string, detail: object | null): void {
    this.#element.dispatchEvent(
      new CustomEvent(`placard:${what}`, { bubbles: true, composed: true, detail }),
    );
  }
}
