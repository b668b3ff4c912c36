// Which of many generated questions are worth keeping.
import type { PodAnswer } from './answers.ts';
import type { GoldenLine } from './golden-lines.ts';

/** What makes an answer unlike others: what it refuses, or how a quantity is written and counted. */
function signatureOf({ question, answers }: GoldenLine): string {
  const kinds = answers.map(({ minors, answer }) => {
    const { errors, decode, unstorable, qos } = answer as PodAnswer;
    const { problem, format, text, inPod, nanos, value } = answer as Readonly<Record<string, string | undefined>>;
    const refused = errors?.map(({ type, field }) => `${type} ${field.replaceAll(/\[.*?\]/g, '')}`) ?? [];
    const isKept = Object.values(question).includes(text ?? '');
    const counted = [isKept, text === inPod, nanos === `${value}000000000`].join();
    return [
      minors.join(),
      [...new Set(refused)].join(),
      decode !== undefined,
      unstorable !== undefined,
      qos,
      problem,
      format,
      counted,
    ].join('|');
  });
  return kinds.join(' / ');
}

/** Rare kinds first, and of each kind the shortest, as many as there is room for. */
export function sampleOf(lines: readonly GoldenLine[], bytes: number): readonly string[] {
  const kinds = new Map<string, string[]>();
  for (const line of lines) {
    const signature = signatureOf(line);
    kinds.set(signature, [...(kinds.get(signature) ?? []), JSON.stringify(line)]);
  }
  const sorted = [...kinds.values()].map((texts) => texts.sort((a, b) => a.length - b.length || (a < b ? -1 : 1)));
  const chosen: string[] = [];
  let left = bytes;
  for (let round = 0; sorted.some((texts) => texts.length > round); round += 1) {
    for (const texts of sorted) {
      const text = texts[round];
      if (text === undefined || text.length >= left) continue;
      chosen.push(text);
      left -= text.length + 1;
    }
  }
  return chosen;
}

/** Pods that every minor accepts and that hold something else than they request, as they come. */
export function countedOf(lines: readonly GoldenLine[], bytes: number): readonly string[] {
  const chosen: string[] = [];
  let left = bytes;
  for (const line of lines) {
    const answers = line.answers.map(({ answer }) => answer as PodAnswer);
    const isRefused = answers.some(({ errors, decode }) => errors !== undefined || decode !== undefined);
    const isIdle = answers.every(({ held = {}, requests = {} }) => JSON.stringify(held) === JSON.stringify(requests));
    const text = JSON.stringify(line);
    if (isRefused || isIdle || text.length >= left) continue;
    chosen.push(text);
    left -= text.length + 1;
  }
  return chosen;
}
