import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const pages = [
  ...readdirSync(root).filter((file) => file.endsWith('.md')),
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join('docs', file)),
  'examples/support-desk/README.md',
];

it.each(pages)('every link in %s leads to a page and a heading that exist', (page) => {
  const text = readFileSync(path.join(root, page), 'utf8').replace(/```[\s\S]*?```/g, '');
  for (const [, target] of text.matchAll(/\]\(([^)\s]+)\)/g)) {
    if (target === undefined || /^[a-z]+:/.test(target)) continue;
    const [file = '', heading] = target.split('#');
    const full = file === '' ? path.join(root, page) : path.resolve(root, path.dirname(page), file);
    expect(existsSync(full), `${page}: ${target}`).toBe(true);
    if (heading !== undefined) expect(headings(full), `${page}: ${target}`).toContain(heading);
  }
});

it('the commands that README and CONTRIBUTING name are scripts of package.json', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { scripts: object };
  for (const page of ['README.md', 'CONTRIBUTING.md', 'docs/guides/getting-started.md']) {
    const text = readFileSync(path.join(root, page), 'utf8');
    for (const [, name] of text.matchAll(/`npm run ([\w:]+)/g)) expect(Object.keys(scripts), page).toContain(name);
  }
});

it('README shows the demo as it prints it', () => {
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8');
  const conversations = readFileSync(path.join(root, 'examples/support-desk/src/conversations.js'), 'utf8');
  const ids = [...conversations.matchAll(/^ {4}id: '([\w-]+)'/gm)].map(([, id]) => id ?? '');
  expect(ids).toHaveLength(6);
  for (const id of ids) expect(readme).toMatch(new RegExp(`^${id} `, 'm'));
});

/** Anchors as GitHub makes them. */
function headings(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  );
}
