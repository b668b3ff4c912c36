// The module of the oracle. It is built with the requirements of a minor of Kubernetes instead of its own:
// go build -modfile=../../cluster/kubernetes/1.37/go.mod
module podrail.dev/test/conformance/oracle
