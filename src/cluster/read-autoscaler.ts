// A HorizontalPodAutoscaler as podrail looks at one: whom it scales, and by which requests.
import { InvalidObject } from '../model/invalid-object.ts';
import { readObject, readRequiredObject, readTextOrEmpty } from '../model/json-fields.ts';
import type { Autoscaler } from '../rules/facts.ts';

type Json = Readonly<Record<string, unknown>>;

/** Reads an `autoscaling/v2` object; throws InvalidObject. */
export function readAutoscaler(object: Json, name: string): Autoscaler {
  const spec = readRequiredObject(object.spec, 'spec');
  const ref = readRequiredObject(spec.scaleTargetRef, 'spec.scaleTargetRef');
  const target = {
    kind: readTextOrEmpty(ref.kind, 'spec.scaleTargetRef.kind'),
    name: readTextOrEmpty(ref.name, 'spec.scaleTargetRef.name'),
  };
  const metrics = spec.metrics ?? [];
  if (!Array.isArray(metrics)) throw new InvalidObject('spec.metrics', 'must be a list');
  const utilization = metrics.flatMap((metric: unknown, index) => readMetric(metric, `spec.metrics[${index}]`));
  // Without metrics it is cpu at 80 % (SetDefaults_HorizontalPodAutoscaler).
  return {
    name,
    target,
    utilization: metrics.length === 0 ? [{ resource: 'cpu', container: undefined }] : utilization,
  };
}

function readMetric(json: unknown, path: string): Autoscaler['utilization'] {
  const metric = readRequiredObject(json, path);
  const type = readTextOrEmpty(metric.type, `${path}.type`);
  if (type !== 'Resource' && type !== 'ContainerResource') return [];
  const field = type === 'Resource' ? 'resource' : 'containerResource';
  const source = readRequiredObject(metric[field], `${path}.${field}`);
  const target = readObject(source.target, `${path}.${field}.target`);
  if (target?.type !== 'Utilization') return [];
  const container = type === 'Resource' ? undefined : readTextOrEmpty(source.container, `${path}.${field}.container`);
  return [{ resource: readTextOrEmpty(source.name, `${path}.${field}.name`), container }];
}
