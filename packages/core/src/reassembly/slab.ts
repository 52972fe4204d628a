/** Bytes outside the garbage collector's heap, by handle. A handle is a positive number; 0 never is one. */
export interface Slab {
  put(bytes: Uint8Array): number;
  /** Puts a text as UTF-8. */
  putText(text: string): number;
  /** A view of the bytes, good until the handle is freed or replaced. */
  get(handle: number): Uint8Array;
  /** Whether the bytes are those of a text in UTF-8. */
  holds(handle: number, text: string): boolean;
  /** Puts other bytes in the place of a handle's, which is no handle afterwards; returns the new one, maybe the same. */
  replace(handle: number, bytes: Uint8Array): number;
  free(handle: number): void;
  /** What the blocks in use take, rounding up included. */
  readonly bytes: number;
  /** What was taken from the system for them: pages, in part empty. A few spare ones beside them do not count. */
  readonly held: number;
}

/** A page holds blocks of one size; one that holds none is given back. */
interface Page {
  readonly number: number;
  readonly bytes: Buffer;
  readonly block: number;
  /** Offset of a freed block, whose first bytes tell of the next one; `END` for none. */
  free: number;
  /** Offset of the first block that was never used. */
  fresh: number;
  used: number;
  /** Place in the list of pages with room, or -1. */
  listed: number;
}

const PAGE = 256 * 1024;
const END = 0xffffffff;
const HEADER = 4;
const STEP = 16;
/** Empty pages kept for the next size that needs one, so that few records at a time do not take and give back pages. */
const MAX_SPARE = 8;
const SMALLEST = 32;
const LARGEST = 32 * 1024;

// Each size is at most an eighth, or one step, above the one before: that bounds what rounding up wastes.
const SIZES = sizes();
/** The class of a block by its steps. */
const CLASSES = Uint8Array.from({ length: LARGEST / STEP + 1 }, (_, steps) =>
  SIZES.findIndex((size) => size >= steps * STEP),
);

function sizes(): readonly number[] {
  const all: number[] = [];
  for (let size = SMALLEST; size < LARGEST; size = Math.max(size + STEP, Math.floor((size * 1.125) / STEP) * STEP)) {
    all.push(size);
  }
  return [...all, LARGEST];
}

export function createSlab(): Slab {
  // Page 0 is none, so that no handle is 0.
  const pages: (Page | undefined)[] = [undefined];
  const freeNumbers: number[] = [];
  const spare: Buffer[] = [];
  const withRoom = new Map<number, Page[]>();
  let bytes = 0;
  let held = 0;

  function blockFor(length: number): number {
    const needed = length + HEADER;
    return needed > LARGEST ? needed : SIZES[CLASSES[Math.ceil(needed / STEP)]!]!;
  }

  function openPage(block: number): Page {
    const number = freeNumbers.pop() ?? pages.length;
    const page: Page = {
      number,
      // Not zeroed: the system gives a page of memory when it is first written.
      bytes: block > LARGEST ? Buffer.allocUnsafeSlow(block) : (spare.pop() ?? Buffer.allocUnsafeSlow(PAGE)),
      block,
      free: END,
      fresh: 0,
      used: 0,
      listed: -1,
    };
    pages[number] = page;
    held += page.bytes.length;
    list(page);
    return page;
  }

  function list(page: Page): void {
    let pagesOfSize = withRoom.get(page.block);
    if (pagesOfSize === undefined) withRoom.set(page.block, (pagesOfSize = []));
    page.listed = pagesOfSize.push(page) - 1;
  }

  function unlist(page: Page): void {
    const pagesOfSize = withRoom.get(page.block)!;
    const last = pagesOfSize.pop()!;
    if (last !== page) {
      pagesOfSize[page.listed] = last;
      last.listed = page.listed;
    }
    if (pagesOfSize.length === 0) withRoom.delete(page.block);
    page.listed = -1;
  }

  function takeBlock(page: Page): number {
    page.used += 1;
    bytes += page.block;
    let offset = page.free;
    if (offset === END) {
      offset = page.fresh;
      page.fresh += page.block;
    } else page.free = page.bytes.readUInt32LE(offset);
    if (page.free === END && page.fresh + page.block > page.bytes.length) unlist(page);
    return offset;
  }

  const pageOf = (handle: number): Page => pages[Math.floor(handle / PAGE)]!;

  function write(page: Page, offset: number, value: Uint8Array): number {
    page.bytes.writeUInt32LE(value.length, offset);
    page.bytes.set(value, offset + HEADER);
    return page.number * PAGE + offset;
  }

  function pageFor(length: number): Page {
    const block = blockFor(length);
    return withRoom.get(block)?.at(-1) ?? openPage(block);
  }

  function put(value: Uint8Array): number {
    const page = pageFor(value.length);
    return write(page, takeBlock(page), value);
  }

  function putText(text: string): number {
    const length = Buffer.byteLength(text);
    const page = pageFor(length);
    const offset = takeBlock(page);
    page.bytes.writeUInt32LE(length, offset);
    page.bytes.write(text, offset + HEADER);
    return page.number * PAGE + offset;
  }

  function free(handle: number): void {
    const page = pageOf(handle);
    const offset = handle % PAGE;
    bytes -= page.block;
    page.used -= 1;
    if (page.used === 0) return close(page);
    page.bytes.writeUInt32LE(page.free, offset);
    page.free = offset;
    if (page.listed === -1) list(page);
  }

  function close(page: Page): void {
    if (page.listed !== -1) unlist(page);
    pages[page.number] = undefined;
    freeNumbers.push(page.number);
    held -= page.bytes.length;
    if (page.block <= LARGEST && spare.length < MAX_SPARE) spare.push(page.bytes);
  }

  return {
    put,
    putText,
    get(handle) {
      const page = pageOf(handle);
      const offset = handle % PAGE;
      const start = offset + HEADER;
      return page.bytes.subarray(start, start + page.bytes.readUInt32LE(offset));
    },
    holds(handle, text) {
      const page = pageOf(handle);
      const start = (handle % PAGE) + HEADER;
      const size = page.bytes.readUInt32LE(start - HEADER);
      if (size < text.length) return false;
      for (let at = 0; at < text.length; at += 1) {
        const code = text.charCodeAt(at);
        if (code > 127) return Buffer.compare(Buffer.from(text), page.bytes.subarray(start, start + size)) === 0;
        if (page.bytes[start + at] !== code) return false;
      }
      return size === text.length;
    },
    replace(handle, value) {
      const page = pageOf(handle);
      if (page.block === blockFor(value.length)) return write(page, handle % PAGE, value);
      free(handle);
      return put(value);
    },
    free,
    get bytes() {
      return bytes;
    },
    get held() {
      return held;
    },
  };
}
