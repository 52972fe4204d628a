// Reads registry files into plain values that remember where they stood, so that every problem names file and line.
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { LineCounter, parseDocument } from 'yaml';

/** One parsed file. `at(path)` is the line (from 1) of the node at `path`, or of its nearest ancestor that exists. */
function readSource(file, shown) {
  const lines = new LineCounter();
  const doc = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines });
  const at = (where) => {
    for (let depth = where.length; depth >= 0; depth -= 1) {
      const node = depth === 0 ? doc.contents : doc.getIn(where.slice(0, depth), true);
      if (node?.range) return lines.linePos(node.range[0]).line;
    }
    return 1;
  };
  const faults = doc.errors.map((e) => ({
    file: shown,
    line: e.linePos?.[0].line ?? 1,
    message: e.message.split('\n')[0],
  }));
  return { file: shown, value: faults.length === 0 ? doc.toJS() : undefined, at, faults };
}

/** The manifest and the definition files of one registry folder, in the order of their names. */
export function readRegistryFolder(root, folder) {
  const dir = path.join(root, folder);
  const names = readdirSync(dir)
    .filter((name) => name.endsWith('.yaml'))
    .sort();
  const read = (name) => readSource(path.join(dir, name), path.posix.join(folder, name));
  return {
    folder,
    manifest: names.includes('manifest.yaml') ? read('manifest.yaml') : undefined,
    definitions: names.filter((name) => name !== 'manifest.yaml').map(read),
  };
}
