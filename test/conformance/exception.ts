// A kind of difference that is meant, and how far it may go.

export interface Exception {
  readonly name: string;
  /** Of all that is compared, no larger share: about twice what it is, so that a rule that begins to err in its name is noticed. */
  readonly most: number;
  readonly reason: string;
}

/** A few questions say nothing about a share. */
const FEW = 10;

/** Those that are more than they may be, with how many they are: none of what is called nothing here is looked at. */
export function tooMany(
  counted: ReadonlyMap<string, number>,
  compared: number,
  mostOf: (name: string) => number,
): readonly string[] {
  return [...counted].flatMap(([name, count]) => {
    const most = Math.ceil(mostOf(name) * compared) + FEW;
    return count > most ? [`${name}: ${count} of ${compared}, where ${most} are the most`] : [];
  });
}
