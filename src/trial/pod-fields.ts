// The names of a pod's fields at the levels that lead to its resources (k8s.io/api/core/v1, all supported minors together).

const toNames = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

export const POD_FIELDS = toNames('apiVersion kind metadata spec status');

export const SPEC_FIELDS = toNames(`
  volumes initContainers containers ephemeralContainers restartPolicy terminationGracePeriodSeconds activeDeadlineSeconds dnsPolicy
  nodeSelector serviceAccountName serviceAccount automountServiceAccountToken nodeName hostNetwork hostPID hostIPC shareProcessNamespace
  securityContext imagePullSecrets hostname subdomain affinity schedulerName tolerations hostAliases priorityClassName priority dnsConfig
  readinessGates runtimeClassName enableServiceLinks preemptionPolicy overhead topologySpreadConstraints setHostnameAsFQDN os hostUsers
  schedulingGates resourceClaims resources hostnameOverride workloadRef schedulingGroup evictionResponders
`);

export const CONTAINER_FIELDS = toNames(`
  name image command args workingDir ports envFrom env resources resizePolicy restartPolicy restartPolicyRules volumeMounts volumeDevices
  livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext stdin
  stdinOnce tty
`);

export const RESOURCES_FIELDS = toNames('requests limits claims');

export const RESIZE_POLICY_FIELDS = toNames('resourceName restartPolicy');
