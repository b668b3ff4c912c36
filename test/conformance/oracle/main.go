// Kubernetes' own code, asked line by line: a question in JSON a line in, an answer in JSON a line out, in the same order.
// It is built once against each minor of Kubernetes, and each of these programs answers as that minor's API server and
// scheduler would, with every feature gate at its default.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"k8s.io/klog/v2"
)

// question holds one of quantity, token, pod, or stored with asked.
type question struct {
	// Quantity is a text, as a person writes it.
	Quantity *string `json:"quantity"`
	// Token is a raw JSON token, as it stands in a manifest.
	Token *string `json:"token"`
	// Pod is a pod that somebody wants to create; its status only counts for what it holds.
	Pod json.RawMessage `json:"pod"`
	// Stored is the pod as it is; Asked is what a client sends to its resize subresource.
	Stored json.RawMessage `json:"stored"`
	Asked  json.RawMessage `json:"asked"`
}

func answer(line []byte) any {
	var asked question
	if err := json.Unmarshal(line, &asked); err != nil {
		return map[string]string{"unanswered": err.Error()}
	}
	switch {
	case asked.Quantity != nil:
		return parseText(*asked.Quantity)
	case asked.Token != nil:
		return parseToken(*asked.Token)
	case asked.Pod != nil:
		return create(asked.Pod)
	case asked.Stored != nil && asked.Asked != nil:
		return resize(asked.Stored, asked.Asked)
	}
	return map[string]string{"unanswered": "the question has neither quantity, token, pod, nor stored and asked"}
}

func main() {
	// What Kubernetes would write to its log is no answer.
	klog.LogToStderr(false)
	klog.SetOutput(io.Discard)
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 {
			break
		}
		if wrong := answers.Encode(answer(line)); wrong != nil {
			fmt.Fprintln(os.Stderr, wrong)
			os.Exit(1)
		}
		// Whoever waits for an answer before asking on must get it; otherwise answers go out by the buffer.
		if lines.Buffered() == 0 {
			out.Flush()
		}
		if err != nil {
			break
		}
	}
	out.Flush()
}
