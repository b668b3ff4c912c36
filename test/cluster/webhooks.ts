// The registration of podrail with an API server: that of manifests/base, with another address and the CA of this run.
import { readWebhookConfigurations } from '../../tools/manifests.ts';

/** Both configurations, for a webhook at `url` whose certificate `ca` (PEM) has signed: there is no Service here. */
export function webhookConfigurations(url: string, ca: string): Readonly<Record<string, unknown>> {
  const caBundle = Buffer.from(ca).toString('base64');
  const items = readWebhookConfigurations().map((configuration) => ({
    ...configuration,
    webhooks: configuration.webhooks.map(({ clientConfig: { service }, ...webhook }) => ({
      ...webhook,
      clientConfig: { url: `${url}${service.path}`, caBundle },
    })),
  }));
  return { apiVersion: 'v1', kind: 'List', items };
}
