// `podrail check` against `yaml` alone over the same manifests, and its memory over few files and over many.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Measured } from './check-files.ts';

const FILES = 10_000;
const A_FOLDER = 200;

// Three documents a file, as people keep them: a Deployment, its Service, and a CronJob that is wrong once in fifty files.
function manifest(index: number): string {
  const cpu = index % 50 === 0 ? '200Mi' : '200m';
  return `# Everything of shop ${index}.
apiVersion: apps/v1
kind: Deployment
metadata:
  name: shop-${index}
  namespace: team-blue
  labels: { app: shop, tier: front }
spec:
  replicas: 3
  selector:
    matchLabels:
      app: shop-${index}
  template:
    metadata:
      labels:
        app: shop-${index}
    spec:
      initContainers:
        - name: proxy
          image: registry.example/proxy:1.2.3
          restartPolicy: Always
          startupProbe:
            httpGet: { path: /healthz, port: 15021 }
          resources:
            requests: { cpu: 100m, memory: 64Mi }
      containers:
        - name: app # the one that serves
          image: registry.example/shop/web:${index}
          env:
            - name: LOG_LEVEL
              value: "info"
            - name: DB_HOST
              valueFrom: { secretKeyRef: { name: db, key: host } }
          ports:
            - containerPort: 8080
          resources:
            requests:
              cpu: 250m
              memory: 256Mi
            limits:
              cpu: "1"
              memory: 512Mi
---
apiVersion: v1
kind: Service
metadata:
  name: shop-${index}
  namespace: team-blue
spec:
  selector:
    app: shop-${index}
  ports:
    - port: 80
      targetPort: 8080
---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: report-${index}
  namespace: team-blue
spec:
  schedule: "*/5 * * * *"
  jobTemplate:
    spec:
      template:
        spec:
          restartPolicy: Never
          containers:
            - name: report
              image: registry.example/shop/report:${index}
              args: ["--since", "24h"]
              resources:
                limits:
                  cpu: ${cpu}
                  memory: 128Mi
`;
}

function write(folder: string, from: number, to: number): void {
  for (let index = from; index < to; index++) {
    const place = join(folder, String(Math.floor(index / A_FOLDER)));
    if (index % A_FOLDER === 0) mkdirSync(place);
    writeFileSync(join(place, `shop-${index}.yaml`), manifest(index));
  }
}

function measure(side: 'yaml' | 'podrail', folder: string): Measured {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'check-files.ts'), side, folder],
    { encoding: 'utf8' },
  );
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as Measured;
}

/** Prints ratios of processor time, pair by pair, and memory. Takes a minute a round. */
export function benchCheck(print: (line: string) => void, rounds: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'podrail-bench-check-'));
  try {
    write(folder, 0, FILES / 10);
    const few = measure('podrail', folder);
    write(folder, FILES / 10, FILES);
    print(`\npodrail check to yaml alone (parse and toJS), ${FILES.toLocaleString('en')} files, three documents each`);
    const ratios: number[] = [];
    let most = 0;
    for (let round = 0; round < rounds; round++) {
      const first = measure(round % 2 === 0 ? 'yaml' : 'podrail', folder);
      const second = measure(round % 2 === 0 ? 'podrail' : 'yaml', folder);
      const [yaml, podrail] = round % 2 === 0 ? [first, second] : [second, first];
      ratios.push(podrail.cpuMs / yaml.cpuMs);
      most = Math.max(most, podrail.megabytes);
      print(
        `round ${round + 1}: yaml ${(yaml.cpuMs / 1000).toFixed(1)} s, podrail ${(podrail.cpuMs / 1000).toFixed(1)} s of processor: ${ratios.at(-1)?.toFixed(2)}   ${podrail.done}`,
      );
    }
    const median = ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)];
    print(`median ${median?.toFixed(2)} (${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)})`);
    print(
      `most memory held: ${few.megabytes.toFixed(0)} MB over ${(FILES / 10).toLocaleString('en')} files, ${most.toFixed(0)} MB over ${FILES.toLocaleString('en')}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
