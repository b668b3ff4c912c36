// The kustomization that installs manifests/base with a certificate of one's own: the Secret, and the CA in every webhook.
import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { stringify } from 'yaml';
import { baseFolder, readWebhookConfigurations } from '../tools/manifests.ts';

const configurations = readWebhookConfigurations();

/** The name by which the API server calls the Service that all webhooks name. */
export const SERVER_NAME = toServerName();

/** The text of FOLDER/kustomization.yaml, for the tls.crt and tls.key beside it and the text of its ca.crt. */
export function toOverlay(folder: string, ca: string): string {
  const [{ namespace }] = services();
  const kustomization = {
    apiVersion: 'kustomize.config.k8s.io/v1beta1',
    kind: 'Kustomization',
    resources: [relative(realpathSync(folder), baseFolder)],
    secretGenerator: [
      {
        name: 'podrail-tls',
        namespace,
        type: 'kubernetes.io/tls',
        files: ['tls.crt', 'tls.key'],
        // With one name for good, running pods read a renewed certificate; a new name would start new pods.
        options: { disableNameSuffixHash: true, labels: { 'app.kubernetes.io/part-of': 'podrail' } },
      },
    ],
    patches: configurations.map(({ apiVersion, kind, metadata: { name }, webhooks }) => ({
      patch: stringify({
        apiVersion,
        kind,
        metadata: { name },
        webhooks: webhooks.map((webhook) => ({
          name: webhook.name,
          clientConfig: { caBundle: Buffer.from(ca).toString('base64') },
        })),
      }),
    })),
  };
  const head = '# Written by certs/make-certificate.ts; written anew when it runs again.\n';
  return head + stringify(kustomization, { lineWidth: 0 });
}

function services(): readonly [Service, ...Service[]] {
  const [first, ...others] = configurations.flatMap(({ webhooks }) => webhooks.map((one) => one.clientConfig.service));
  if (first === undefined) throw new Error('manifests/base/webhooks.yaml has no webhook');
  return [first, ...others];
}

type Service = (typeof configurations)[number]['webhooks'][number]['clientConfig']['service'];

function toServerName(): string {
  const names = new Set(services().map(({ name, namespace }) => `${name}.${namespace}.svc`));
  const [name, other] = names;
  if (name === undefined || other !== undefined)
    throw new Error(`the webhooks name several Services: ${[...names].join(', ')}`);
  return name;
}
