// Command render prints what `helm template` prints for a chart without subcharts, for machines that
// have Go and sprig from Debian's packages (golang-go, golang-github-masterminds-sprig-dev) but no
// Helm. The template language is Go's own and the functions are Helm's (sprig); what Helm adds, the
// functions and objects below, is written after its documentation:
// https://helm.sh/docs/chart_template_guide/builtin_objects/ and …/function_list/.
//
//	GO111MODULE=off GOPATH=/usr/share/gocode go run render.go CHART RELEASE NAMESPACE VALUES.yaml
//
// CHART is a folder, VALUES.yaml is laid over the chart's values.yaml. The schema of the values is not
// checked here. Errors of templates end it with code 1 and a message.
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

func main() {
	if len(os.Args) != 5 {
		exit(fmt.Errorf("usage: render CHART RELEASE NAMESPACE VALUES.yaml"))
	}
	if err := render(os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		exit(err)
	}
}

func exit(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func render(chart, release, namespace, valuesFile string) error {
	metadata, err := read(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return err
	}
	values, err := read(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return err
	}
	given, err := read(valuesFile)
	if err != nil {
		return err
	}
	context := map[string]interface{}{
		"Values": merged(values, given),
		"Chart":  exported(metadata),
		"Release": map[string]interface{}{
			"Name": release, "Namespace": namespace, "Service": "Helm", "Revision": 1,
			"IsInstall": true, "IsUpgrade": false,
		},
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return err
	}
	sort.Strings(files)
	root := template.New("chart").Option("missingkey=zero")
	root.Funcs(functions(root))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if _, err := root.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return err
		}
	}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var output bytes.Buffer
		if err := root.ExecuteTemplate(&output, name, context); err != nil {
			return err
		}
		text := strings.ReplaceAll(output.String(), "<no value>", "")
		// Helm prints the notes after an installation alone.
		if name != "NOTES.txt" && strings.TrimSpace(text) != "" {
			fmt.Printf("---\n# Source: %s\n%s\n", name, strings.TrimSpace(text))
		}
	}
	return nil
}

// functions are sprig's without those that Helm withholds, and Helm's own as far as charts without
// files and a cluster need them.
func functions(root *template.Template) template.FuncMap {
	all := sprig.TxtFuncMap()
	delete(all, "env")
	delete(all, "expandenv")
	all["include"] = func(name string, data interface{}) (string, error) {
		var output bytes.Buffer
		err := root.ExecuteTemplate(&output, name, data)
		return output.String(), err
	}
	all["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	return all
}

func read(file string) (map[string]interface{}, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	values := map[string]interface{}{}
	if err := yaml.Unmarshal(text, &values); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return values, nil
}

// merged lays values over others: maps key by key, everything else as a whole; null removes a key.
func merged(below, above map[string]interface{}) map[string]interface{} {
	result := map[string]interface{}{}
	for key, value := range below {
		result[key] = value
	}
	for key, value := range above {
		lower, isMapBelow := result[key].(map[string]interface{})
		upper, isMapAbove := value.(map[string]interface{})
		switch {
		case value == nil:
			delete(result, key)
		case isMapBelow && isMapAbove:
			result[key] = merged(lower, upper)
		default:
			result[key] = value
		}
	}
	return result
}

// exported gives the fields of Chart.yaml the names by which templates know them.
func exported(metadata map[string]interface{}) map[string]interface{} {
	result := map[string]interface{}{}
	for key, value := range metadata {
		result[strings.ToUpper(key[:1])+key[1:]] = value
	}
	return result
}
