/** A place in a queue; belongs to the queue that made it. */
export interface Place<T> {
  readonly value: T;
}

/** First in, first out, with removal from the middle. */
export interface Queue<T> {
  push(value: T): Place<T>;
  /** Takes a place out; one that is out already is no fault. */
  remove(place: Place<T>): void;
  /** The value that has waited longest. */
  first(): T | undefined;
  /** Takes that value out. */
  shift(): T | undefined;
  values(): Iterable<T>;
  readonly size: number;
}

interface Node<T> extends Place<T> {
  previous: Node<T> | undefined;
  next: Node<T> | undefined;
  listed: boolean;
}

/**
 * A doubly linked list. A `Map` in insertion order would read simpler, but finding its first key walks over the holes
 * that deletions at the front leave behind, which a queue under load does with every step.
 */
export function createQueue<T>(): Queue<T> {
  let head: Node<T> | undefined;
  let tail: Node<T> | undefined;
  let size = 0;
  function take(node: Node<T>): void {
    if (!node.listed) return;
    if (node.previous === undefined) head = node.next;
    else node.previous.next = node.next;
    if (node.next === undefined) tail = node.previous;
    else node.next.previous = node.previous;
    node.listed = false;
    size -= 1;
  }

  return {
    push(value) {
      const node: Node<T> = { value, previous: tail, next: undefined, listed: true };
      if (tail === undefined) head = node;
      else tail.next = node;
      tail = node;
      size += 1;
      return node;
    },
    remove: (place) => take(place as Node<T>),
    first: () => head?.value,
    shift() {
      const first = head;
      if (first !== undefined) take(first);
      return first?.value;
    },
    *values() {
      for (let node = head; node !== undefined; node = node.next) yield node.value;
    },
    get size() {
      return size;
    },
  };
}
