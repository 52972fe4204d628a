/**
 * Why a message, or one span in it, cannot be read. Thrown inside the decoder and caught at the nearest boundary (the
 * span, else the request); never leaves it. Not an `Error`: a stack for each of thousands of broken spans would cost
 * more than decoding them.
 */
export class DecodeFault {
  readonly reason: string;

  constructor(reason: string) {
    this.reason = reason;
  }
}

/** Throws a fault at a byte offset of the request, saying what should have stood there. */
export function faultAt(offset: number, expected: string, found?: string): never {
  throw new DecodeFault(`at byte ${offset}: expected ${expected}${found === undefined ? '' : `, found ${found}`}`);
}

/** The reason of a caught fault; anything else is a defect of the decoder and is thrown on. */
export function reasonOf(thrown: unknown): string {
  if (thrown instanceof DecodeFault) return thrown.reason;
  throw thrown;
}
