// How a page of our documentation looks in a terminal.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPlainText } from '../../src/commands/plain-text.ts';

const cases: readonly (readonly [string, string, string])[] = [
  [
    'underlines headings',
    '# quantity-plausible\n\nText.\n\n## How to fix\n',
    'quantity-plausible\n==================\n\nText.\n\nHow to fix\n----------\n',
  ],
  [
    'leaves words, and `code` in them, as they are',
    'Write `cpu: 200m`,\nnot more.\n',
    'Write `cpu: 200m`,\nnot more.\n',
  ],
  ['says of an example whether it passes', 'A\n\n```yaml refused\na: 1\n```\n', 'A\n\n    # refused\n    a: 1\n'],
  ['takes the marks off bold text', 'This is **refused**.\n', 'This is refused.\n'],
  [
    'indents code, in which nothing else is a mark',
    'A\n\n```yaml\n# why\na: **b**\n\n| c |\n```\n\nB\n',
    'A\n\n    # why\n    a: **b**\n\n    | c |\n\nB\n',
  ],
  [
    'aligns tables',
    '| setting | default |\n|---|:-:|\n| `maxCpu` | 1024 |\n| a\\|b | |\n',
    'setting   default\n`maxCpu`  1024\na|b\n',
  ],
  [
    'keeps the address of a link on the web',
    'See [KEP-753](https://kep.k8s.io/753).\n',
    'See KEP-753 (https://kep.k8s.io/753).\n',
  ],
  ['keeps the text of a link to another page', 'See [the rule](resize-keeps-qos.md).\n', 'See the rule.\n'],
  ['leaves out comments', '<!-- generated -->\nText\n', 'Text\n'],
];

describe('a page in a terminal', () => {
  for (const [what, markdown, text] of cases) it(what, () => assert.equal(toPlainText(markdown), text));
});
