// Containers that a setting means by their name or their image.
import type { Globs } from '../model/glob.ts';
import type { Container } from '../model/pod.ts';

/** Whether the container's name, or its whole image, fits any of the globs. */
export function isKnownAs({ matches }: Globs, { name, image }: Container): boolean {
  return matches(name) || matches(image);
}
