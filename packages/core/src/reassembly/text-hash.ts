/**
 * 32 bits of a text, other bits for another seed (FNV-1a with a final mix). Spreads texts over shards and tables; what rests
 * on it must stay right, if slower, when somebody makes texts collide.
 */
export function textHash(text: string, seed = 0): number {
  let hash = 0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1);
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
