// Prints what sigs.k8s.io/yaml, with which kubectl reads manifests, makes of each YAML text in the JSON list on standard input.
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

type reading struct {
	YAML    string `json:"yaml"`
	JSON    string `json:"json,omitempty"`
	Refused bool   `json:"refused,omitempty"`
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	readings := []reading{}
	for _, text := range texts {
		value, err := yaml.YAMLToJSON([]byte(text))
		readings = append(readings, reading{YAML: text, JSON: string(value), Refused: err != nil})
	}
	encoder := json.NewEncoder(os.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(readings); err != nil {
		panic(err)
	}
}
