import { MOST_ADS } from "#libs/domain/serving-limits.ts";
import { drawCards } from "../card.ts";
import { drawFromTemplate, drawSpace } from "../template.ts";
import type { Ad, ClaimedAds, PlacardScript } from "../types/embed.d.mts";
import { watchAd } from "../watch-ad.ts";
import { readSettings, type SlotSettings } from "./settings.ts";

export interface SlotWork extends Pick<PlacardScript, "trackImpression" | "trackClick"> {
  readonly claim: (request: SlotSettings["request"], signal: AbortSignal) => Promise<ClaimedAds>;
  /** Marks an ad as seen in this page view; false if it was marked before. */
  readonly markSeen: (adId: string) => boolean;
}

type State = "loading" | "filled" | "empty" | "failed";

/** A place for ads. The site's own elements in it show while there are no ads; `data-placard-state` shows its state. */
export class Slot {
  readonly #element: HTMLElement;
  readonly #work: SlotWork;
  #key: string | undefined;
  #claimed: ClaimedAds | undefined;
  #shown: HTMLElement[] = [];
  /** What takes the room of a template's ads until they are there. */
  #space: HTMLElement[] = [];
  /** The inline style that a reserved height has replaced. */
  #ownMinHeight: string | undefined;
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
    return this.#key !== JSON.stringify(readSettings(this.#element)) || (isOnlineAgain && hasFailed);
  }

  /** Fills the slot again; its ads stay until then. Never rejects. */
  async fill(): Promise<void> {
    this.#letGo();
    const { signal } = this.#filling;
    const settings = readSettings(this.#element);
    this.#key = JSON.stringify(settings);
    this.#reserve(settings);
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
    this.#restoreMinHeight();
    delete this.#element.dataset.placardState;
  }

  /** Takes the room that the ads will need: the given height, or that of the site's template where nothing else shows. */
  #reserve(settings: SlotSettings): void {
    const { minHeight, request } = settings;
    if (minHeight !== null) {
      this.#ownMinHeight ??= this.#element.style.minHeight;
      this.#element.style.minHeight = `${minHeight}px`;
      return;
    }
    this.#restoreMinHeight();
    const template = this.#templateOf(settings);
    if (template === null || this.#shown.length > 0 || this.#fallback().length > 0) return;
    const count = Math.min(MOST_ADS, Math.max(1, request.count ?? 1));
    this.#space = Array.from({ length: count }, () => drawSpace(template));
    this.#element.append(...this.#space);
  }

  #letGo(): void {
    this.#filling.abort();
    this.#filling = new AbortController();
    this.#claimed?.release();
    this.#claimed = undefined;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #clear(): void {
    this.#endSpace();
    for (const element of this.#shown.splice(0)) element.remove();
    for (const element of this.#fallback()) element.style.removeProperty("display");
  }

  #show(ads: readonly Ad[], settings: SlotSettings): void {
    this.#endSpace();
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
  #draw(ads: readonly Ad[], settings: SlotSettings): (HTMLElement | undefined)[] {
    const own = this.#templateOf(settings);
    if (own !== null) {
      this.#shown = ads.map((ad) => drawFromTemplate(own, ad));
      this.#element.append(...this.#shown);
      return this.#shown;
    }
    const { host, cards } = drawCards(ads, settings.card);
    this.#shown = [host];
    this.#element.append(host);
    return cards;
  }

  #restoreMinHeight(): void {
    if (this.#ownMinHeight !== undefined) this.#element.style.minHeight = this.#ownMinHeight;
    this.#ownMinHeight = undefined;
  }

  #templateOf({ template }: SlotSettings): HTMLTemplateElement | null {
    const own =
      template === null ? this.#element.querySelector(":scope > template") : document.querySelector(template);
    return own instanceof HTMLTemplateElement ? own : null;
  }

  #endSpace(): void {
    for (const element of this.#space.splice(0)) element.remove();
  }

  #watch(ad: Ad, element: HTMLElement | undefined): () => void {
    if (element === undefined) return () => {};
    const { markSeen, trackImpression, trackClick } = this.#work;
    const at = () => ({ placement: this.#element.dataset.placement });
    return watchAd(element, {
      seen: () => {
        if (!markSeen(ad.id)) return;
        void trackImpression(ad.id, at()).then((success) => this.#tell("impression", { ad, success }));
      },
      clicked: () => {
        trackClick(ad.id, at());
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
