/** Memory that bodies in flight may hold together. */
export interface Allowance {
  /** Opens the account of one request. */
  open(): Account;
  readonly limitBytes: number;
  /** Bytes held now. */
  readonly heldBytes: number;
}

export interface Account {
  /** Holds `bytes` more; `false`, and nothing held, where that would exceed the allowance. */
  hold(bytes: number): boolean;
  /** Gives everything back. Safe to call twice. */
  close(): void;
}

/** What a request costs besides its body: headers, the spans made of it, the answer. Bounds their number, too. */
const BASE_BYTES = 4096;

/**
 * A request that is alone may always hold what it needs (its own limit bounds it); otherwise an allowance below one
 * body's limit would refuse every large body for ever.
 */
export function createAllowance(limitBytes: number): Allowance {
  let heldBytes = 0;
  return {
    limitBytes,
    open() {
      let own = 0;
      return {
        hold(bytes) {
          const wanted = own === 0 ? BASE_BYTES + bytes : bytes;
          if (heldBytes + wanted > limitBytes && heldBytes > own) return false;
          own += wanted;
          heldBytes += wanted;
          return true;
        },
        close() {
          heldBytes -= own;
          own = 0;
        },
      };
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
