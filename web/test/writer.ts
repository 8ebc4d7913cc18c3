// Writes frames and topologies byte by byte from the tables of docs/src/viewer-protocol.md, apart from the code that reads them.

/** Bytes that grow. */
export class Writer {
  private readonly bytes: number[] = [];

  get length(): number {
    return this.bytes.length;
  }

  put(size: number, write: (view: DataView) => void): this {
    const view = new DataView(new ArrayBuffer(size));
    write(view);
    for (let i = 0; i < size; i++) this.bytes.push(view.getUint8(i));
    return this;
  }

  u16(...values: number[]): this {
    values.forEach((x) => this.put(2, (view) => view.setUint16(0, x, true)));
    return this;
  }

  u32(...values: number[]): this {
    values.forEach((x) => this.put(4, (view) => view.setUint32(0, x, true)));
    return this;
  }

  u64(value: bigint): this {
    return this.put(8, (view) => view.setBigUint64(0, value, true));
  }

  f32(...values: number[]): this {
    values.forEach((x) => this.put(4, (view) => view.setFloat32(0, x, true)));
    return this;
  }

  f64(...values: number[]): this {
    values.forEach((x) => this.put(8, (view) => view.setFloat64(0, x, true)));
    return this;
  }

  text(text: string): this {
    for (const byte of new TextEncoder().encode(text)) this.bytes.push(byte);
    return this;
  }

  append(other: Writer): this {
    for (const byte of other.bytes) this.bytes.push(byte);
    return this;
  }

  buffer(): ArrayBuffer {
    return Uint8Array.from(this.bytes).buffer;
  }
}

export interface Block {
  tag: string;
  body: Writer;
}

export interface FrameOptions {
  magic?: number;
  version?: number;
  vertices?: number;
  blocks?: number;
  time?: number;
  corner?: [number, number, number];
  size?: [number, number, number];
}

/** Three vertices at the corners and the middle of a box from (1, 2, 3) of size (1, 2, 4). */
export const positions: Block = { tag: "POSN", body: new Writer().u16(0, 0, 0, 65535, 65535, 65535, 13107, 26214, 39321) };
export const field: Block = { tag: "FILD", body: new Writer().u32(2, 0).f32(-1, 3).u16(0, 65535, 13107) };
export const pins: Block = { tag: "PINS", body: new Writer().u32(2, 0) };
export const arrows: Block = { tag: "ARRW", body: new Writer().u32(1, 1).f32(1, 2, 3, 0, 0, 3, 1, 2, 4).u32(2, 0).f32(0, 0, 0, 1, 0, 0, 2, 0, 0).u32(3, 0).f32(1, 2, 3, 0, 6, 0, 1, 2, 3) };
export const bones: Block = { tag: "BONE", body: new Writer().f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1) };
export const colliders: Block = { tag: "COLL", body: new Writer().f32(1, 0, 0, 0, 1, 0, 0, 0, 1, 0.5, 0, 2) };
export const tool: Block = { tag: "TOOL", body: new Writer().f32(0.5, 1, 2, 3) };
export const contacts: Block = { tag: "CNTC", body: new Writer().u32(1).f32(1, 2, 3, 0, 0, 1, -0.25, 0.5, 0, 8) };
export const stats: Block = { tag: "STAT", body: new Writer().f64(0.5, 0.25, 1e-3, 0.75, 42, 3, 40, 0.125, 1, 0.5, 6) };

export function frame(blocks: Block[], options: FrameOptions = {}): ArrayBuffer {
  const out = new Writer()
    .u32(options.magic ?? 0x52464c50)
    .u16(options.version ?? 2, 7)
    .u32(17, 5)
    .f64(options.time ?? 1.5)
    .u64(0x0123456789abcdefn)
    .u32(options.vertices ?? 3, options.blocks ?? blocks.length)
    .f32(...(options.corner ?? [1, 2, 3]), ...(options.size ?? [1, 2, 4]));
  for (const { tag, body } of blocks) {
    out.text(tag).u32(body.length).append(body);
    while (out.length % 8 !== 0) out.text("\0");
  }
  return out.buffer();
}

/** A tetrahedron: four vertices, four triangles, six edges. */
export function topology(text = defaultText, triangles = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]): ArrayBuffer {
  const json = new Writer().text(text);
  return new Writer()
    .u32(0x4f544c50, 3, 4, triangles.length / 3, 6, json.length)
    .f32(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    .u32(...triangles)
    .u32(0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3)
    .append(json)
    .buffer();
}

const defaultText = '{"bodies": [{"name": "tet", "vertices": [0, 4], "triangles": [0, 4], "edges": [0, 6]}], "colliders": [], "bones": [], "tied": []}';
