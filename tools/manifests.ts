// Reads manifests as they lie in the repository, for whoever needs to know what is installed: tests, and the maker of certificates.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const baseFolder = join(dirname(import.meta.dirname), 'manifests/base');

/** A Kubernetes object as far as every one has it. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

export interface WebhookConfiguration extends Manifest {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly webhooks: readonly Webhook[];
}

export interface Webhook {
  readonly name: string;
  readonly clientConfig: {
    readonly service: { readonly name: string; readonly namespace: string; readonly path: string };
  };
}

/** The documents of one file. Throws the place of a mistake in it. */
export function readManifestFile(file: string): readonly Manifest[] {
  return parseAllDocuments(readFileSync(file, 'utf8')).map((document) => {
    const [mistake] = document.errors;
    if (mistake !== undefined) throw new Error(`${file}: ${mistake.message}`);
    return document.toJS() as Manifest;
  });
}

/** Both configurations, the mutating one first. */
export function readWebhookConfigurations(): readonly WebhookConfiguration[] {
  return readManifestFile(join(baseFolder, 'webhooks.yaml')) as readonly WebhookConfiguration[];
}
