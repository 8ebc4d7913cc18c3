// The gallery: which scene is shown, which others there are, and the address that leads to each.

import { part, write } from "../dom.js";
import type { Offer, SceneStatus, Status } from "../wire/status.js";
import { facts } from "./facts.js";
import { hashOf, sceneOf } from "./link.js";
import { matching, neighbour } from "./order.js";

export class Gallery {
  private offers: Offer[] = [];
  private current: SceneStatus | null = null;
  /** What the address asked for when the page was opened; carried out once it is known who controls. */
  private wanted = sceneOf(location.hash);
  /** What was ordered and has not come yet. */
  private coming: string | null = null;
  private allowed = false;
  /** The offers that the search leaves. */
  private matches: Offer[] = [];
  private readonly search = part<HTMLInputElement>("search");

  constructor(private readonly open: (scene: string) => number, private readonly tell: (words: string) => void) {
    this.search.addEventListener("input", () => this.filter());
    this.search.addEventListener("keydown", (event) => this.enter(event));
    part("previous").addEventListener("click", () => this.walk(-1));
    part("next").addEventListener("click", () => this.walk(1));
    addEventListener("hashchange", () => this.follow());
  }

  /** This page may choose. */
  unlock(): void {
    this.allowed = true;
    this.enable();
    this.fulfil();
  }

  /** This page may not choose, and what its address asked for is void. */
  lock(): void {
    this.allowed = false;
    this.enable();
    this.wanted = null;
  }

  /** The link is lost: nothing can be chosen, but what was wanted is opened when it is back. */
  suspend(): void {
    this.allowed = false;
    this.coming = null;
    this.enable();
  }

  setOffers(offers: Offer[]): void {
    this.offers = offers;
    part("scenes").replaceChildren(...offers.map((offer) => this.entry(offer)));
    this.filter();
    this.show();
    this.fulfil();
  }

  status(status: Status): void {
    this.current = status.scene;
    if (this.current?.id === this.coming) this.coming = null;
    this.show();
    this.fulfil();
    if (!this.wanted && this.current && sceneOf(location.hash) !== this.current.id) {
      history.replaceState(null, "", hashOf(this.current.id));
    }
  }

  /** The scene before or after this one, of those that the search leaves. */
  walk(step: 1 | -1): void {
    const next = neighbour(this.matches, this.current?.id, step);
    if (next) this.go(next.id);
  }

  /** Opens an entry of the list, and shows what it is and how it runs, which stands above the list. */
  private choose(id: string): void {
    this.go(id);
    if (this.allowed) part("panel").scrollTo({ top: 0 });
  }

  private enter(event: KeyboardEvent): void {
    const [first] = this.matches;
    if (event.key !== "Enter" || event.isComposing || !first) return;
    event.preventDefault();
    this.choose(first.id);
  }

  private go(id: string): void {
    if (!this.allowed) return;
    // the address changes, and `follow` opens the scene; the same address again means that the scene is to begin anew
    if (sceneOf(location.hash) === id) this.open(id);
    else location.hash = hashOf(id);
  }

  private follow(): void {
    const id = sceneOf(location.hash);
    if (!id || id === (this.coming ?? this.current?.id)) return;
    this.wanted = id;
    this.fulfil();
  }

  /** Opens what an address asked for, once everything needed for that is known. */
  private fulfil(): void {
    if (!this.wanted || !this.allowed || !this.current || this.offers.length === 0) return;
    const id = this.wanted;
    this.wanted = null;
    if (id === (this.coming ?? this.current.id)) return;
    if (this.offers.some((offer) => offer.id === id)) {
      // an order that did not get out is given again when there is a link
      if (this.open(id) === 0) this.wanted = id;
      else this.coming = id;
    } else {
      this.tell(`There is no scene called "${id}" here.`);
      history.replaceState(null, "", hashOf(this.current.id));
    }
  }

  private enable(): void {
    const controls = part("gallery").querySelectorAll<HTMLButtonElement>("button");
    controls.forEach((button) => (button.disabled = !this.allowed));
  }

  private entry(offer: Offer): HTMLElement {
    const item = document.createElement("li");
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.scene = offer.id;
    button.disabled = !this.allowed;
    const title = document.createElement("span");
    title.className = "entry-title";
    title.textContent = offer.title;
    const description = document.createElement("span");
    description.className = "entry-description";
    description.textContent = offer.description;
    button.append(title, description);
    button.addEventListener("click", () => this.choose(offer.id));
    item.append(button);
    return item;
  }

  private filter(): void {
    this.matches = matching(this.offers, this.search.value);
    const left = new Set(this.matches.map((offer) => offer.id));
    [...part("scenes").children].forEach((item, i) => ((item as HTMLElement).hidden = !left.has(this.offers[i].id)));
    write(part("found"), left.size === 0 && this.search.value.trim() ? "No scene has these words." : "");
  }

  private show(): void {
    const scene = this.current;
    const offer = this.offers.find((entry) => entry.id === scene?.id);
    write(part("title"), scene?.title || offer?.title || "No scene");
    write(part("description"), scene?.description || offer?.description || "");
    write(part("facts"), scene ? facts(scene) : "");
    document.title = scene ? `${scene.title} – Pliant` : "Pliant";
    part("scenes").querySelectorAll<HTMLButtonElement>("button").forEach((button) => {
      const shown = button.dataset.scene === scene?.id;
      if (shown) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }
}
