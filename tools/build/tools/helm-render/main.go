// Command helm-render renders a chart with many sets of values in one process:
//
//	helm-render CHART < values.jsonl > results.jsonl
//
// Each line of the input is one set of values, and each line of the output is its result. Templates and schema are
// evaluated as in helm template. The chart is loaded once, the schema is compiled once, and manifests are not parsed.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"helm.sh/helm/v4/pkg/chart/common"
	"helm.sh/helm/v4/pkg/chart/common/util"
	chart "helm.sh/helm/v4/pkg/chart/v2"
	"helm.sh/helm/v4/pkg/chart/v2/loader"
	"helm.sh/helm/v4/pkg/engine"
)

const kubernetes = "1.35.0"

// result holds the text of all templates, or the error of the schema or of a template.
type result struct {
	Text  string `json:"text"`
	Error string `json:"error"`
}

// renderer renders one chart.
type renderer struct {
	chart        *chart.Chart
	schema       *jsonschema.Schema
	capabilities *common.Capabilities
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "helm-render:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	if len(args) != 1 {
		return errors.New("usage: helm-render CHART")
	}
	charts, err := newRenderer(args[0])
	if err != nil {
		return err
	}
	sets, results := json.NewDecoder(in), bufio.NewWriter(out)
	encoder := json.NewEncoder(results)
	for {
		var values map[string]any
		if err := sets.Decode(&values); errors.Is(err, io.EOF) {
			return results.Flush()
		} else if err != nil {
			return fmt.Errorf("values: %w", err)
		}
		if err := encoder.Encode(charts.render(values)); err != nil {
			return err
		}
	}
}

func newRenderer(folder string) (*renderer, error) {
	loaded, err := loader.Load(folder)
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(loaded.Schema))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("file:///values.schema.json", document); err != nil {
		return nil, err
	}
	schema, err := compiler.Compile("file:///values.schema.json")
	if err != nil {
		return nil, err
	}
	version, err := common.ParseKubeVersion(kubernetes)
	if err != nil {
		return nil, err
	}
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	return &renderer{loaded, schema, capabilities}, nil
}

func (r *renderer) render(values map[string]any) result {
	text, err := r.text(values)
	if err != nil {
		return result{Error: err.Error()}
	}
	return result{Text: text}
}

func (r *renderer) text(values map[string]any) (string, error) {
	release := common.ReleaseOptions{Name: "x", Namespace: "db", Revision: 1, IsInstall: true}
	rendered, err := util.ToRenderValuesWithSchemaValidation(r.chart, values, release, r.capabilities, true)
	if err != nil {
		return "", err
	}
	merged, err := rendered.Table("Values")
	if err != nil {
		return "", err
	}
	if err := r.schema.Validate(merged.AsMap()); err != nil {
		return "", fmt.Errorf("values don't meet the specifications of the schema: %w", err)
	}
	files, err := engine.Render(r.chart, rendered)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", name, files[name])
	}
	return text.String(), nil
}
