// A question that Kubernetes cannot read is asked twice: as it is, and mended; what the second answer shows counts too.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { differs, SAME } from './answers.ts';
import { compareAnswers, NOT_ALL } from './ask-again.ts';
import { startOracle } from './oracle.ts';
import type { Stream } from './suites.ts';

interface Question {
  readonly decode?: string;
  /** What is left of it when it is mended. */
  readonly mended?: Question;
  readonly differs?: boolean;
}

const STREAM: Stream<Question> = {
  name: 'resizes',
  suites: ['resize validation'],
  questions: fc.constant({}),
  compare: (question) => ({ 'resize validation': question.differs ? differs('odd', 1, 2) : SAME }),
  mend: ({ mended }, answer) => ((answer as Question).decode === undefined ? undefined : mended),
};

/** The kinds of differences of each question; the oracle says again what it is asked. */
async function kindsOf(questions: readonly Question[]): Promise<readonly (readonly string[])[]> {
  const oracle = startOracle('cat');
  try {
    const outcomes = await compareAnswers(STREAM, questions, await oracle.ask(questions), '1.37', oracle);
    return outcomes.map((one) => one['resize validation']?.differences.map(({ kind }) => kind) ?? []);
  } finally {
    await oracle.close();
  }
}

describe('a question that Kubernetes cannot read', () => {
  it('differs where the mended one does, or where it cannot be read either', async () => {
    const decode = 'unable to parse quantity';
    const kinds = await kindsOf([
      { decode, mended: {} },
      { decode, mended: { differs: true } },
      { decode, mended: { decode } },
      { decode },
      { decode, differs: true, mended: { differs: true } },
      { mended: { differs: true } },
    ]);
    assert.deepEqual(kinds, [[], ['odd'], [NOT_ALL], [], ['odd', 'odd'], []]);
  });
});
