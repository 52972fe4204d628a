/** Memory that bodies in flight may hold together. */
export interface Allowance {
  /** Opens the account of one request. */
  open(): Account;
  readonly limitBytes: number;
  /**
   * When a request that is refused now may find room, in whole seconds from 1 to 30: as long as the oldest one in flight
   * has been there already. Where that is stuck, senders come back ever more seldom, and soon again once it is through.
   */
  retryAfterSeconds(): number;
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

/** A collector's own longest pause. A longer one would leave room unused that has long been free again. */
const MAX_RETRY_AFTER_S = 30;

/**
 * A request that is alone may always hold what it needs (its own limit bounds it); otherwise an allowance below one
 * body's limit would refuse every large body for ever.
 */
export function createAllowance(limitBytes: number, nowMs: () => number = () => performance.now()): Allowance {
  const since = new Map<Account, number>();
  let heldBytes = 0;
  return {
    limitBytes,
    open() {
      let own = 0;
      const account: Account = {
        hold(bytes) {
          const wanted = own === 0 ? BASE_BYTES + bytes : bytes;
          if (heldBytes + wanted > limitBytes && heldBytes > own) return false;
          if (own === 0) since.set(account, nowMs());
          own += wanted;
          heldBytes += wanted;
          return true;
        },
        close() {
          heldBytes -= own;
          own = 0;
          since.delete(account);
        },
      };
      return account;
    },
    retryAfterSeconds() {
      const [oldest = nowMs()] = since.values();
      return Math.min(Math.max(1, Math.ceil((nowMs() - oldest) / 1000)), MAX_RETRY_AFTER_S);
    },
    get heldBytes() {
      return heldBytes;
    },
  };
}
