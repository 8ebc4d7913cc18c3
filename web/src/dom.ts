// Small words for the page's elements.

/** The element with an id that index.html promises. */
export function part<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

/** Writes text where it differs, so that nothing is laid out anew for the same words. */
export function write(element: HTMLElement, text: string): void {
  if (element.textContent !== text) element.textContent = text;
}

/** Writes a value for programs beside the text for people. */
export function mark(element: HTMLElement, name: string, value: number | null): void {
  const text = value === null || !Number.isFinite(value) ? "" : String(value);
  if (element.dataset[name] !== text) element.dataset[name] = text;
}
