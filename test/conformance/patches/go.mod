// The module of the patch program. It is built with the requirements of a minor of Kubernetes instead of its own:
// go run -modfile=../../cluster/kubernetes/1.37/go.mod .
module podrail.dev/test/conformance/patches
