// JUnit XML, read by an XML parser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SaxesParser } from 'saxes';
import { createJunitReport } from '../../src/report/junit.ts';
import { NOTHING, written } from './reported.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The tree of an XML text. Throws where it is not well-formed. */
function parse(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element !== undefined) element.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return root;
}

const suitesOf = (text: string): readonly Element[] => parse(text).children[0]?.children ?? [];
const inside = (element: Element | undefined, name: string): Element | undefined =>
  element?.children.find((child) => child.name === name);

describe('the JUnit report', () => {
  const suites = suitesOf(written(createJunitReport()));

  it('has a suite for each file, with its counts', () => {
    assert.deepEqual(
      suites.map(({ attributes: { name, tests, failures, errors } }) => [name, tests, failures, errors]),
      [
        ['deploy/web.yaml', '2', '1', '0'],
        ['100% odd, name:[1]/é <&>".yaml', '3', '0', '2'],
      ],
    );
  });

  it('has a case for each pod: failed with what would be refused, and with its warnings beside', () => {
    const [web, quiet] = suites[0]?.children ?? [];
    const message = 'container "app" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?';
    const file = 'deploy/web.yaml';
    assert.deepEqual({ ...web?.attributes }, { classname: file, name: 'Deployment team-blue/web', file });
    assert.deepEqual({ ...inside(web, 'failure')?.attributes }, { type: 'quantity-plausible', message });
    assert.equal(inside(web, 'failure')?.text, `${file}:9:14 error [quantity-plausible] ${message}`);
    assert.match(
      inside(web, 'system-out')?.text ?? '',
      /^deploy\/web\.yaml:12:14 warning \[sidecar-has-requests\] .*\n.* fixed \[container-size\] /,
    );
    assert.deepEqual(
      { ...quiet, attributes: { ...quiet?.attributes } },
      { name: 'testcase', attributes: { classname: file, name: 'Pod default/quiet', file }, children: [], text: '' },
    );
  });

  it('says what cannot be read, and keeps every character that XML can hold', () => {
    const [unread, , odd] = suites[1]?.children ?? [];
    const message = 'Map keys\nmust be <unique> & "so" 100%';
    assert.equal(inside(unread, 'error')?.attributes['message'], message);
    assert.equal(inside(unread, 'error')?.text, `100% odd, name:[1]/é <&>".yaml:3:1 ${message}`);
    assert.equal(odd?.attributes['name'], 'Pod default/<a> &   "b"');
    assert.match(inside(odd, 'system-out')?.text ?? '', /pod "\]\]>" must be 100%,   and: \uFFFD <so>; it is$/);
  });

  it('is XML when there is nothing to say', () => {
    assert.deepEqual(suitesOf(written(createJunitReport(), [], NOTHING)), []);
  });
});
