// What a tenant may do in a namespace. The built-in roles admin and edit do not have `pods/resize`: whoever lets
// tenants resize writes a role like this one.
const SUBJECT = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Group', name: 'team-blue-devs' };
const ROLE = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'tenant' };

export const TENANT_RIGHTS = {
  apiVersion: 'v1',
  kind: 'List',
  items: [
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata: { name: 'tenant' },
      rules: [
        {
          apiGroups: [''],
          resources: ['pods'],
          verbs: ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'],
        },
        { apiGroups: [''], resources: ['pods/resize'], verbs: ['get', 'update', 'patch'] },
        {
          apiGroups: ['apps'],
          resources: ['deployments'],
          verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
        },
        { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['get', 'list', 'watch'] },
        { apiGroups: [''], resources: ['events'], verbs: ['get', 'list', 'watch'] },
      ],
    },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata: { name: 'tenant' },
      roleRef: ROLE,
      subjects: [SUBJECT],
    },
  ],
};
