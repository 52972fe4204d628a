/** One verdict on its way to several sinks. */
export interface Delivery {
  /** To be called once for each sink, before the sink is handed the verdict; the sink calls what it gets when it is through. */
  open(): () => void;
  /** No further sink will be opened. */
  close(): void;
}

/** Calls `through` once, when every sink that was opened is through and no more can come. */
export function createDelivery(through: () => void): Delivery {
  let open = 1;
  const leave = (): void => {
    open -= 1;
    if (open === 0) through();
  };
  const once = (step: () => void): (() => void) => {
    let called = false;
    return () => {
      if (called) return;
      called = true;
      step();
    };
  };
  return {
    open() {
      open += 1;
      return once(leave);
    },
    close: once(leave),
  };
}
