// What the API server makes of a patch, by its own code: a case in JSON a line in, the same with its result a line out.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	v1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
)

type patchCase struct {
	Type   string          `json:"type"`
	Pod    json.RawMessage `json:"pod"`
	Patch  json.RawMessage `json:"patch"`
	Result json.RawMessage `json:"result"`
	Error  string          `json:"error,omitempty"`
}

func apply(one patchCase) ([]byte, error) {
	switch one.Type {
	case "strategic":
		return strategicpatch.StrategicMergePatch(one.Pod, one.Patch, v1.Pod{})
	case "merge":
		return jsonpatch.MergePatch(one.Pod, one.Patch)
	}
	patch, err := jsonpatch.DecodePatch(one.Patch)
	if err != nil {
		return nil, err
	}
	return patch.Apply(one.Pod)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for lines.Scan() {
		var one patchCase
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		result, err := apply(one)
		if err != nil {
			one.Error = err.Error()
		} else {
			one.Result = result
		}
		if err := out.Encode(one); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
}
