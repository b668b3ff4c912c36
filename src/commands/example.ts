// `serve --example`: a small cluster to try podrail with, and the commands to try.
import { isAbsolute, join, relative } from 'node:path';
import { cwd } from 'node:process';
import type { Settings } from '../config.ts';
import { type Address, toAddressText } from '../http/address.ts';
import { packageFolder } from './package-folder.ts';

/** The settings of the example, which the file and the flags override: only this machine, and a record of everything. */
export function exampleSettings(): Settings {
  return {
    // The ports of the documentation, or any: what is printed has the port that was taken.
    listen: { host: '127.0.0.1', port: 8443, orAny: true },
    adminListen: { host: '127.0.0.1', port: 8080, orAny: true },
    cluster: [examplePath('cluster.yaml')],
    auditLevel: 'all',
    // Nobody has to take this server out of a load balancer first.
    limits: { drainDelayMs: 0 },
  };
}

/** Where the servers are reached, and how to trust them. */
export interface Reached {
  readonly listen: Address;
  readonly adminListen: Address;
  readonly caFile: string | undefined;
}

// Node is on every machine that runs podrail; it makes one line of JSON readable.
const WITH_PATCH = `node -p 'r = JSON.parse(fs.readFileSync(0)).response; r.patch = atob(r.patch); r'`;
const READABLE = `node -p 'JSON.stringify(JSON.parse(fs.readFileSync(0)).response, null, 2)'`;

/** What to try: each command works as it stands when pasted into a shell in the same folder. */
export function exampleText({ listen, adminListen, caFile }: Reached, self: string): string {
  const url = `https://${toReachable(listen)}`;
  const adminUrl = `http://${toReachable(adminListen)}`;
  const post = (review: string, endpoint: string): string =>
    [
      'curl --silent --show-error',
      ...(caFile === undefined ? [] : [`--cacert ${shellWord(caFile)}`]),
      `--header 'Content-Type: application/json' --data-binary @${shellWord(examplePath(`reviews/${review}.json`))}`,
      `${url}/${endpoint}`,
    ].join(' ');
  const taken =
    [listen, adminListen].map(({ port }) => port).join(' and ') === '8443 and 8080'
      ? ''
      : '\nPort 8443 or 8080 is in use, so these are others.';
  return `
podrail answers reviews at ${url}/mutate and ${url}/validate, with the cluster of ${examplePath('cluster.yaml')}.
Health and metrics: ${adminUrl}/livez, ${adminUrl}/readyz, ${adminUrl}/metrics${taken}

Try it from another terminal, in this folder. Every answer leaves its audit record here, on standard output.

A pod is created: allowed, with a patch that declares how it may be resized.
  ${post('create', 'mutate')} | ${WITH_PATCH}

A resize to cpu: 200Mi, which Kubernetes would read as 209715200 cores: refused.
  ${post('resize-200Mi', 'validate')} | ${READABLE}

A resize that its node can never hold: refused.
  ${post('resize-infeasible', 'validate')} | ${READABLE}

The same without a server, and what a rule means:
  ${self} replay ${shellWord(examplePath('reviews/resize-infeasible.json'))} --cluster ${shellWord(examplePath('cluster.yaml'))}
  ${self} rules quantity-plausible

Ctrl-C ends it.

`;
}

// The certificate holds the name localhost as well as what was listened on.
function toReachable({ host, port }: Address): string {
  const isLocal = host === undefined || ['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host);
  return toAddressText({ host: isLocal ? 'localhost' : host, port });
}

/** A file of the examples as a person would type it here. */
export function examplePath(name: string): string {
  const path = join(packageFolder(), 'examples', name);
  const near = relative(cwd(), path);
  return near.startsWith('..') || isAbsolute(near) ? path : near;
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
