// The module of the kubelet that the tests run. It is built with the requirements of a minor of Kubernetes instead of its own:
// go build -modfile=../kubernetes/1.37/go.mod -tags=minor37
module podrail.dev/test/cluster/kubelet
