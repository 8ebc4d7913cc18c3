// The order of the gallery: which scenes have the words of a search, and which comes before or after another.

import type { Offer } from "../wire/status.js";

/** The scenes that have all words of a search, in the gallery's order. */
export function matching(offers: Offer[], search: string): Offer[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  return offers.filter((offer) => {
    const text = `${offer.id} ${offer.title} ${offer.description}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** The scene before or after one in a list, around its ends; from outside the list its last or first. Null where it is empty. */
export function neighbour(list: Offer[], id: string | undefined, step: 1 | -1): Offer | null {
  if (list.length === 0) return null;
  const at = list.findIndex((offer) => offer.id === id);
  if (at < 0) return step > 0 ? list[0] : list[list.length - 1];
  return list[(at + step + list.length) % list.length];
}
