// Keys of the page. None is taken from a text box, a list or a slider that has the focus, nor together with Ctrl, Alt or Meta.

/** What a key press is to do; true where it was taken. */
export type Taker = (key: string, event: KeyboardEvent) => boolean;

/** Listens on the whole page. */
export function listen(down: Taker, up: Taker): void {
  giveBack();
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
    if (belongsTo(event.target, event.key)) return;
    if (down(event.key, event)) event.preventDefault();
  });
  addEventListener("keyup", (event) => up(event.key, event));
}

/** A control that was used with the pointer gives the keys back; one used with keys keeps the focus. */
function giveBack(): void {
  let byKeys = false;
  addEventListener("keydown", () => (byKeys = true), { capture: true });
  addEventListener("pointerdown", () => (byKeys = false), { capture: true });
  const release = (event: Event, which: string) => {
    const target = event.target instanceof Element ? event.target.closest<HTMLElement>(which) : null;
    if (!byKeys && target && !target.closest("dialog")) target.blur();
  };
  addEventListener("click", (event) => release(event, "button, input[type=checkbox]"));
  addEventListener("change", (event) => release(event, "select, input[type=range]"));
}

/** Whether a control with the focus uses this key itself. */
function belongsTo(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable) return true;
  const acts = key === " " || key === "Enter";
  if (target instanceof HTMLInputElement) {
    if (target.type === "checkbox") return acts;
    if (target.type === "range") return /^(Arrow|Page|Home|End)/.test(key);
    return true;
  }
  return acts && (target instanceof HTMLButtonElement || target instanceof HTMLAnchorElement);
}
