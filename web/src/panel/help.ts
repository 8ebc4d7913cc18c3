// Help: all keys and gestures in a dialog of the browser's own, which keeps the focus and closes with Escape.

import { part } from "../dom.js";

export class Help {
  private readonly dialog = part<HTMLDialogElement>("help");

  constructor() {
    part("open-help").addEventListener("click", () => this.toggle());
    part("close-help").addEventListener("click", () => this.dialog.close());
    // a click beside the text closes it
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
  }

  toggle(): void {
    if (this.dialog.open) this.dialog.close();
    else this.dialog.showModal();
  }
}
