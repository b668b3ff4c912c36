// What a person probably meant by a text that is no Kubernetes quantity: the nearest spellings that are.
import { parseQuantity } from '../model/quantity.ts';

// Digits with the separators of any country, then a unit. Longer texts are no slips of the pen.
const NUMBER_AND_UNIT = /^([+-]?[\d.,_]*\d[\d.,_]*)\s*([a-z]*)$/i;
const LONGEST = 16;
const CPU_UNITS: Readonly<Record<string, string>> = {
  '': '',
  c: '',
  core: '',
  cores: '',
  cpu: '',
  cpus: '',
  vcpu: '',
  vcpus: '',
  millicore: 'm',
  millicores: 'm',
  millicpu: 'm',
  milli: 'm',
  mcpu: 'm',
  mcore: 'm',
  mcores: 'm',
};
const BYTE_WORDS: Readonly<Record<string, string>> = {
  kilobytes: 'k',
  megabytes: 'm',
  gigabytes: 'g',
  terabytes: 't',
  kibibytes: 'ki',
  mebibytes: 'mi',
  gibibytes: 'gi',
  tebibytes: 'ti',
  bytes: '',
  byte: '',
  b: '',
  meg: 'm',
  megs: 'm',
  gig: 'g',
  gigs: 'g',
};
const BYTE_LETTERS = ['k', 'm', 'g', 't', 'p'];

/** `512MB` → 512M and 512Mi, `2 cores` of cpu → 2; every one parses. Empty when nothing is near. */
export function nearestSpellings(resource: string, written: string): readonly string[] {
  if (written.length > LONGEST) return [];
  const [, number, unit] = NUMBER_AND_UNIT.exec(written.trim()) ?? [];
  if (number === undefined || unit === undefined) return [];
  const plain = toPlainNumber(number);
  const suffixes = resource === 'cpu' ? cpuSuffixes(unit.toLowerCase()) : byteSuffixes(unit.toLowerCase());
  return suffixes.map((suffix) => plain + suffix).filter((text) => parseQuantity(text).problem === undefined);
}

function cpuSuffixes(unit: string): readonly string[] {
  const suffix = Object.hasOwn(CPU_UNITS, unit) ? CPU_UNITS[unit] : undefined;
  return suffix === undefined ? [] : [suffix];
}

function byteSuffixes(unit: string): readonly string[] {
  const short = Object.hasOwn(BYTE_WORDS, unit) ? (BYTE_WORDS[unit] ?? '') : unit.replace(/(?<=[kmgtpi])b$/, '');
  if (short === '') return [''];
  const letter = short.charAt(0);
  if (!BYTE_LETTERS.includes(letter) || (short.length > 1 && short !== `${letter}i`)) return [];
  const binary = `${letter.toUpperCase()}i`;
  return short.length > 1 ? [binary] : [letter === 'k' ? 'k' : letter.toUpperCase(), binary];
}

// `1_000` and `1,000,000` are grouped digits, a single comma is a decimal one.
function toPlainNumber(number: string): string {
  const plain = number.replaceAll('_', '');
  return /^[+-]?\d{1,3}(,\d{3}){2,}$/.test(plain) ? plain.replaceAll(',', '') : plain.replace(',', '.');
}
