// The registration of podrail with an API server: that of manifests/base, with another address and the CA of this run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { repository } from './programs.ts';

/** A configuration as far as it is looked at or changed here. */
export interface WebhookConfiguration {
  readonly kind: 'MutatingWebhookConfiguration' | 'ValidatingWebhookConfiguration';
  readonly metadata: { readonly name: string };
  readonly webhooks: readonly Webhook[];
}

export interface Webhook {
  readonly name: string;
  readonly clientConfig: { readonly service: { readonly path: string } };
  readonly matchConditions?: readonly { readonly name: string; readonly expression: string }[];
}

/** The configurations as they are installed: the mutating one, then the validating one. */
export const INSTALLED: readonly WebhookConfiguration[] = parseAllDocuments(
  readFileSync(join(repository, 'manifests/base/webhooks.yaml'), 'utf8'),
).map((document) => document.toJS() as WebhookConfiguration);

/** Both, for a webhook at `url` whose certificate `ca` (PEM) has signed. There is no Service where pods do not run. */
export function webhookConfigurations(url: string, ca: string): Readonly<Record<string, unknown>> {
  const caBundle = Buffer.from(ca).toString('base64');
  const items = INSTALLED.map((configuration) => ({
    ...configuration,
    webhooks: configuration.webhooks.map(({ clientConfig: { service }, ...webhook }) => ({
      ...webhook,
      clientConfig: { url: `${url}${service.path}`, caBundle },
    })),
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}
