// The only thing that the parsers of this folder throw.

/** Bytes or text that do not follow the protocol; the message says what is wrong. */
export class WireError extends Error {
  constructor(what: string) {
    super(what);
    this.name = "WireError";
  }
}
