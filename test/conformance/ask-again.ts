// What Kubernetes could not read is asked again with that mended: only then does it say what else is wrong, and only then is it
// known that nothing else was unreadable.
import { both, differs, type PodAnswer, SAME } from './answers.ts';
import type { Oracle } from './oracle.ts';
import type { Outcomes, Stream, SuiteName } from './suites.ts';

export const NOT_ALL = 'not all that is unreadable';

/** What comes of the answers of one minor, in the order of the questions. */
export async function compareAnswers<Question extends object>(
  stream: Stream<Question>,
  questions: readonly Question[],
  answers: readonly unknown[],
  minor: string,
  oracle: Oracle,
): Promise<readonly Outcomes[]> {
  const mended = new Map<number, Question>();
  for (const [index, question] of questions.entries()) {
    const again = stream.mend?.(question, answers[index], minor);
    if (again !== undefined) mended.set(index, again);
  }
  const later = await oracle.ask([...mended.values()]);
  const second = new Map([...mended].map(([index, question], at) => [index, { question, answer: later[at] }]));
  return questions.map((question, index) => {
    const first = stream.compare(question, answers[index], minor);
    const again = second.get(index);
    return again === undefined ? first : joined(first, compareMended(stream, again.question, again.answer, minor));
  });
}

function compareMended<Question extends object>(
  stream: Stream<Question>,
  question: Question,
  answer: unknown,
  minor: string,
): Outcomes {
  const { decode } = answer as PodAnswer;
  const [suite] = stream.suites;
  if (decode === undefined || suite === undefined) return stream.compare(question, answer, minor);
  return { [suite]: differs(NOT_ALL, question, decode) };
}

function joined(first: Outcomes, second: Outcomes): Outcomes {
  const suites = Object.keys({ ...first, ...second }) as readonly SuiteName[];
  return Object.fromEntries(suites.map((suite) => [suite, both(first[suite] ?? SAME, second[suite] ?? SAME)]));
}
