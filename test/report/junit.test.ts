// JUnit XML, read by an XML parser.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { createJunitReport } from '../../src/report/junit.ts';
import { NOTHING, written } from './reported.ts';

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  isArray: (name) => ['testsuite', 'testcase'].includes(name),
});

interface Case {
  readonly classname: string;
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly '#text': string };
  readonly error?: { readonly '#text': string };
  readonly 'system-out'?: string;
}
interface Suite {
  readonly name: string;
  readonly tests: string;
  readonly failures: string;
  readonly errors: string;
  readonly testcase: readonly Case[];
}

const parsed = (text: string): readonly Suite[] => {
  assert.equal(XMLValidator.validate(text), true);
  const { testsuites } = parser.parse(text) as { readonly testsuites: { readonly testsuite?: readonly Suite[] } };
  return testsuites.testsuite ?? [];
};

describe('the JUnit report', () => {
  const suites = parsed(written(createJunitReport()));

  it('has a suite for each file, with its counts', () => {
    assert.deepEqual(
      suites.map(({ name, tests, failures, errors }) => [name, tests, failures, errors]),
      [
        ['deploy/web.yaml', '2', '1', '0'],
        ['100% odd, name:[1]/é <&>".yaml', '3', '0', '2'],
      ],
    );
  });

  it('has a case for each pod: failed with what would be refused, and with its warnings beside', () => {
    const [web, quiet] = suites[0]?.testcase ?? [];
    assert.deepEqual(
      [web?.classname, web?.name, web?.failure?.type],
      ['deploy/web.yaml', 'Deployment team-blue/web', 'quantity-plausible'],
    );
    const message = 'container "app" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m?';
    assert.equal(web?.failure?.message, message);
    assert.equal(web?.failure?.['#text'], `deploy/web.yaml:9:14 error [quantity-plausible] ${message}`);
    assert.match(
      web?.['system-out'] ?? '',
      /^deploy\/web\.yaml:12:14 warning \[sidecar-has-requests\] .*\n.* fixed \[container-size\] /,
    );
    assert.deepEqual(quiet, { classname: 'deploy/web.yaml', name: 'Pod default/quiet', file: 'deploy/web.yaml' });
  });

  it('says what cannot be read, and keeps every character that XML can hold', () => {
    const [unread, , odd] = suites[1]?.testcase ?? [];
    assert.equal(unread?.error?.['#text'], '100% odd, name:[1]/é <&>".yaml:3:1 Map keys\nmust be <unique> & "so" 100%');
    assert.equal(odd?.name, 'Pod default/<a> & \uFFFD "b"');
    assert.match(odd?.['system-out'] ?? '', /pod "\]\]>" must be 100%, \uFFFD and: \uFFFD <so>; it is$/);
  });

  it('is XML when there is nothing to say', () => {
    assert.deepEqual(parsed(written(createJunitReport(), [], NOTHING)), []);
  });
});
