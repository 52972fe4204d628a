/** Resolves when the promise does or the time is over, whichever comes first. The promise must not reject. */
export async function withinTime(promise: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<void>((resolve) => (timer = setTimeout(resolve, timeoutMs)));
  await Promise.race([promise, over]);
  clearTimeout(timer);
}
