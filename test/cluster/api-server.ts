// Starts a kube-apiserver with users from a file, RBAC, and an audit log of its own.
import { generateKeyPairSync } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Server } from './people.ts';
import { freePort } from './ports.ts';
import { type Place, type Running, startProgram } from './running.ts';

export interface ApiServer extends Running, Server {
  /** The API server's own audit log until now: what was done to pods, with what webhooks have noted. */
  readonly auditEvents: () => Promise<readonly AuditEvent[]>;
}

export interface AuditEvent {
  /** What the client was told in the header `Audit-Id`. */
  readonly auditID: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef: { readonly namespace?: string; readonly name?: string; readonly subresource?: string };
  readonly responseStatus: { readonly code: number };
  /** A webhook's notes have its name before their keys: `resize.podrail.dev/record`. */
  readonly annotations?: Readonly<Record<string, string>>;
}

// Who asked for what, and what the webhooks said of it; not the objects.
const AUDIT_POLICY = JSON.stringify({
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  omitStages: ['RequestReceived'],
  rules: [
    {
      level: 'Metadata',
      verbs: ['create', 'update', 'patch'],
      resources: [{ group: '', resources: ['pods', 'pods/resize', 'pods/eviction'] }],
    },
    { level: 'None' },
  ],
});

/** Starts it; whether it is ready is for somebody with a token to ask. `flags` come last. */
export async function startApiServer(
  program: string,
  etcdUrl: string,
  tokenFile: string,
  place: Place,
  flags: readonly string[] = [],
): Promise<ApiServer> {
  const port = await freePort();
  const file = (name: string): string => join(place.folder, name);
  await writeFile(file('tokens.csv'), tokenFile, { mode: 0o600 });
  await writeFile(file('audit-policy.json'), AUDIT_POLICY);
  // Signs the tokens of service accounts. Every API server needs the pair, also where no pod ever uses one.
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await writeFile(file('sa.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(file('sa.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const auditLog = file('api-server-audit.log');
  const running = startProgram(
    'kube-apiserver',
    program,
    [
      `--etcd-servers=${etcdUrl}`,
      '--bind-address=127.0.0.1',
      '--advertise-address=127.0.0.1',
      `--secure-port=${port}`,
      // It makes a certificate for itself there.
      `--cert-dir=${place.folder}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--authorization-mode=Node,RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      `--service-account-key-file=${file('sa.pub')}`,
      `--service-account-signing-key-file=${file('sa.key')}`,
      '--service-cluster-ip-range=10.0.0.0/24',
      // EndpointSlices refuse the loopback address.
      '--endpoint-reconciler-type=none',
      `--audit-policy-file=${file('audit-policy.json')}`,
      `--audit-log-path=${auditLog}`,
      // An event is in the file before its request is answered.
      '--audit-log-mode=blocking',
      ...flags,
    ],
    place,
  );
  return {
    ...running,
    url: `https://127.0.0.1:${port}`,
    caFile: file('apiserver.crt'),
    async auditEvents() {
      const lines = (await readFile(auditLog, 'utf8')).split('\n').slice(0, -1);
      return lines.map((line) => JSON.parse(line) as AuditEvent);
    },
  };
}
