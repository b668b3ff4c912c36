// The id of the record, which the last line of a denial tells its client.

/** The id; undefined where none is told. */
export function recordTold(text: string): string | undefined {
  return /^podrail recorded this as (\S+)$/m.exec(text)?.[1];
}

/** The same text whatever the id is. */
export function withoutRecordId(text: string): string {
  return text.replace(/^(podrail recorded this as) \S+$/m, '$1 ID');
}
