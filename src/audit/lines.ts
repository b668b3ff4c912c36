// Bytes that are whole lines, and where to cut them.

export const NEWLINE = 0x0a;

export function countLines(bytes: Buffer): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines += 1;
  return lines;
}

/** Bytes of the first line, its newline included. */
export function lengthOfFirst(lines: Buffer): number {
  return lines.indexOf(NEWLINE) + 1;
}

/** Bytes of the whole lines at the start; the rest is a line of which the end is missing. */
export function lengthOfWhole(bytes: Buffer): number {
  return bytes.lastIndexOf(NEWLINE) + 1;
}

/** Bytes of the lines that fit into `room`, at least one line. */
export function lengthThatFits(lines: Buffer, room: number): number {
  if (lines.length <= room) return lines.length;
  return Math.max(lengthOfFirst(lines), lengthOfWhole(lines.subarray(0, Math.max(0, room))));
}
