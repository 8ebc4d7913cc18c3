// The gallery: which scene is shown, which others there are, and the address that leads to each.

import { part, write } from "../dom.js";
import type { Offer, SceneStatus, Status } from "../wire/status.js";
import { hashOf, sceneOf } from "./link.js";

export class Gallery {
  private offers: Offer[] = [];
  private current: SceneStatus | null = null;
  /** What the address asked for when the page was opened; carried out once it is known who controls. */
  private wanted = sceneOf(location.hash);
  private allowed = false;
  private readonly search = part<HTMLInputElement>("search");

  constructor(private readonly open: (scene: string) => number, private readonly tell: (words: string) => void) {
    this.search.addEventListener("input", () => this.filter());
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
    this.show();
    this.fulfil();
    if (!this.wanted && this.current && sceneOf(location.hash) !== this.current.id) {
      history.replaceState(null, "", hashOf(this.current.id));
    }
  }

  /** The scene before or after this one. */
  walk(step: 1 | -1): void {
    const count = this.offers.length;
    if (count === 0) return;
    const at = this.offers.findIndex((offer) => offer.id === this.current?.id);
    this.go(this.offers[(at + step + count) % count].id);
  }

  /** Opens an entry of the list, and shows what it is and how it runs, which stands above the list. */
  private choose(id: string): void {
    this.go(id);
    if (this.allowed) part("panel").scrollTo({ top: 0 });
  }

  private go(id: string): void {
    if (!this.allowed) return;
    // the address changes, and `follow` opens the scene; the same address again means that the scene is to begin anew
    if (sceneOf(location.hash) === id) this.open(id);
    else location.hash = hashOf(id);
  }

  private follow(): void {
    const id = sceneOf(location.hash);
    if (!id || id === this.current?.id) return;
    this.wanted = id;
    this.fulfil();
  }

  /** Opens what an address asked for, once everything needed for that is known. */
  private fulfil(): void {
    if (!this.wanted || !this.allowed || !this.current || this.offers.length === 0) return;
    const id = this.wanted;
    this.wanted = null;
    if (id === this.current.id) return;
    if (this.offers.some((offer) => offer.id === id)) {
      // an order that did not get out is given again when there is a link
      if (this.open(id) === 0) this.wanted = id;
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
    const words = this.search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    [...part("scenes").children].forEach((item, i) => {
      const offer = this.offers[i];
      const text = `${offer.id} ${offer.title} ${offer.description}`.toLowerCase();
      const fits = words.every((word) => text.includes(word));
      (item as HTMLElement).hidden = !fits;
      if (fits) found += 1;
    });
    write(part("found"), found === 0 && words.length ? "No scene has these words." : "");
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

function facts(scene: SceneStatus): string {
  const bodies = scene.bodies.map((body) => {
    const count = (n: number) => n.toLocaleString("en");
    return `${body.name}: ${count(body.nodes)} nodes, ${count(body.elements)} elements`;
  });
  return [scene.method && `Method: ${scene.method}`, ...bodies].filter(Boolean).join(" · ");
}
