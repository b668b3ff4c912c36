// Workflow commands, read as the runner of GitHub Actions reads them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createGithubReport } from '../../src/report/github.ts';
import { FILES, written } from './reported.ts';

interface CommandLine {
  readonly command: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly message: string;
}

// actions/runner, ActionCommand.TryParseV2: `::command key=value,key=value::data`, with its unescaping.
function parse(line: string): CommandLine | undefined {
  if (!line.startsWith('::')) return undefined;
  const end = line.indexOf('::', 2);
  const head = line.slice(2, end);
  const space = head.indexOf(' ');
  const properties = head
    .slice(space + 1)
    .split(',')
    .map((pair) => pair.split(/=(.*)/s, 2) as [string, string])
    .map(([key, value]) => [
      key,
      value
        .replaceAll('%0D', '\r')
        .replaceAll('%0A', '\n')
        .replaceAll('%3A', ':')
        .replaceAll('%2C', ',')
        .replaceAll('%25', '%'),
    ]);
  const message = line
    .slice(end + 2)
    .replaceAll('%0D', '\r')
    .replaceAll('%0A', '\n')
    .replaceAll('%25', '%');
  return {
    command: head.slice(0, space),
    properties: Object.fromEntries(properties) as Record<string, string>,
    message,
  };
}

describe('the GitHub report', () => {
  const lines = written(createGithubReport()).trimEnd().split('\n');
  const commands = lines.flatMap((line) => parse(line) ?? []);

  it('is one command a line, then the sums', () => {
    assert.equal(commands.length, 6);
    assert.match(lines.at(-1) ?? '', /^checked 3 pods in 2 files: /);
    assert.equal(lines.length, 7);
  });

  it('says level, place and rule of each finding', () => {
    assert.deepEqual(commands[0], {
      command: 'error',
      properties: {
        file: 'deploy/web.yaml',
        line: '9',
        col: '14',
        endLine: '9',
        endColumn: '19',
        title: 'podrail quantity-plausible',
      },
      message:
        'container "app" must limit cpu to at most 1024; 200Mi is 209715200 cpu, did you mean 200m? (Deployment team-blue/web)',
    });
    assert.deepEqual(
      commands.map(({ command }) => command),
      ['error', 'warning', 'warning', 'error', 'error', 'notice'],
    );
  });

  it('keeps every character of names and messages', () => {
    const file = FILES[1]?.file ?? '';
    assert.deepEqual(commands[3], {
      command: 'error',
      properties: { file, line: '3', col: '1', title: 'podrail' },
      message: 'Map keys\nmust be <unique> & "so" 100%',
    });
    assert.deepEqual(commands[4]?.properties, { file, title: 'podrail' });
  });
});
