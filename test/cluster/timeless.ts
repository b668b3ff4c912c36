// Reviews written so that the next run writes the same: what differs from run to run is replaced, one by one where it matters
// which is which.

/** Gives a writer of reviews, as JSON; the same uid is the same in all that one writer writes. */
export function timeless(): (review: unknown) => string {
  const uids = new Map<string, string>();
  const numbered = (uid: string): string => {
    const known = uids.get(uid) ?? `00000000-0000-4000-8000-${String(uids.size + 1).padStart(12, '0')}`;
    uids.set(uid, known);
    return known;
  };
  return (review) =>
    `${JSON.stringify(review, null, 1)}\n`
      .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, numbered)
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-11-30T09:00:00Z')
      .replaceAll(/("resourceVersion": )"\d+"/g, '$1"1000"')
      .replaceAll(/kube-api-access-\w{5}/g, 'kube-api-access-abcde');
}
