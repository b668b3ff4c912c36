// The kubelet of a minor of Kubernetes with a pretended container runtime, as kubemark is, save for what no flag of kubemark
// says: it listens on this machine alone, keeps what it writes where it is told, its managers of cpu and memory can be static,
// and it knows what its node can allocate, which the kubelets of 1.34 and 1.35 ask of a part that kubemark leaves empty.
package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"time"

	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	clientset "k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	fakeremote "k8s.io/cri-client/pkg/fake"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/cmd/kubelet/app/options"
	kubeletconfig "k8s.io/kubernetes/pkg/kubelet/apis/config"
	"k8s.io/kubernetes/pkg/kubelet/cadvisor/testing"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubemark"
)

func main() {
	name := flag.String("name", "", "the name of the node")
	kubeconfig := flag.String("kubeconfig", "", "how to reach the API server")
	port := flag.Int("port", 0, "of its own server")
	root := flag.String("root", "", "a new folder for all that it writes")
	socket := flag.String("socket", "", "a file for the pretended runtime to listen on")
	cpuManager := flag.String("cpu-manager", "none", "cpuManagerPolicy")
	memoryManager := flag.String("memory-manager", "None", "memoryManagerPolicy")
	flag.Parse()
	ctx := context.Background()

	flags, config := kubemark.GetHollowKubeletConfig(&kubemark.HollowKubeletOptions{
		NodeName:    *name,
		KubeletPort: *port,
		MaxPods:     110,
	})
	moveTo(*root, flags, config)
	config.Address = "127.0.0.1"

	reach, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	must(err)
	// Every call at once: the pods of a test come all together.
	reach.QPS = -1
	reach.UserAgent = "kubelet-with-a-pretended-runtime"
	client := clientset.NewForConfigOrDie(reach)

	runtime := fakeremote.NewFakeRemoteRuntime()
	endpoint := "unix://" + *socket
	must(runtime.Start(endpoint))
	runtimeService, err := connect(ctx, endpoint, 15*time.Second)
	must(err)

	cadvisor := &testing.Fake{NodeName: *name}
	manager := nodeManager{
		ContainerManager: cm.NewStubContainerManager(),
		// Of the machine that the pretended cAdvisor tells of.
		allocatable: v1.ResourceList{v1.ResourceCPU: resource.MustParse("1"), v1.ResourceMemory: resource.MustParse("3840Mi")},
		config:      cm.NodeConfig{CPUManagerPolicy: *cpuManager},
	}
	manager.config.MemoryManagerPolicy = *memoryManager
	kubemark.NewHollowKubelet(flags, config, client, client, cadvisor, runtime.ImageService, runtimeService, manager).Run(ctx)
}

// moveTo has it write there. kubemark makes a folder in /tmp, which nobody would know of if this process were killed.
func moveTo(root string, flags *options.KubeletFlags, config *kubeletconfig.KubeletConfiguration) {
	must(os.RemoveAll(flags.RootDirectory))
	flags.RootDirectory = root
	config.StaticPodPath = filepath.Join(root, "static-pods")
	config.PodLogsDir = filepath.Join(root, "pod-logs")
	must(os.MkdirAll(config.StaticPodPath, 0o700))
	must(os.MkdirAll(config.PodLogsDir, 0o700))
}

// nodeManager says of its node what the pretended one does not.
type nodeManager struct {
	cm.ContainerManager
	allocatable v1.ResourceList
	config      cm.NodeConfig
}

func (manager nodeManager) GetNodeAllocatableAbsolute() v1.ResourceList { return manager.allocatable }

func (manager nodeManager) GetNodeConfig() cm.NodeConfig { return manager.config }

func must(err error) {
	if err != nil {
		klog.Fatal(err)
	}
}
