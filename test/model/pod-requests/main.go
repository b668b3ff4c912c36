// Reads pods (one JSON object a line), writes what Kubernetes counts for each: requests and limits of the spec, and requests
// while a resize is pending. Run once per version of k8s.io/component-helpers (0.33, 0.36, 0.37) to make vectors.json:
//
//	go mod init vectors && go get k8s.io/api@v0.37.2 k8s.io/component-helpers@v0.37.2 && go run . < pods.jsonl
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"reflect"

	v1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/resource"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	spec := resource.PodResourcesOptions{}
	status := resource.PodResourcesOptions{UseStatusResources: true}
	// The gate exists from 1.35; its default is on from 1.36.
	if field := reflect.ValueOf(&status).Elem().FieldByName("InPlacePodLevelResourcesVerticalScalingEnabled"); field.IsValid() {
		field.SetBool(true)
	}
	for lines.Scan() {
		var pod v1.Pod
		if err := json.Unmarshal(lines.Bytes(), &pod); err != nil {
			panic(err)
		}
		answer, err := json.Marshal(map[string]v1.ResourceList{
			"requests": resource.PodRequests(&pod, spec),
			"limits":   resource.PodLimits(&pod, spec),
			"held":     resource.PodRequests(&pod, status),
		})
		if err != nil {
			panic(err)
		}
		fmt.Println(string(answer))
	}
}
