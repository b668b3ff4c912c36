// cert-manager, for its CRDs alone (deploy/crds): manifests.test.ts shows that they take what manifests/overlays/cert-manager asks for.
module podrail/test/cluster/cert-manager

go 1.26

require github.com/cert-manager/cert-manager v1.21.2
