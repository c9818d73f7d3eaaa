// Command helm-render renders a chart with many sets of values in one process:
//
//	helm-render [-3] CHART < values.jsonl > results.jsonl
//
// Each line of the input is one set of values, and each line of the output is its result. Templates and schema are
// evaluated as in helm template, of Helm 4 or, with -3, of Helm 3. The chart is loaded once, the schema is compiled once, and manifests are not parsed.
// With Helm 4, hashes of passwords are made with the least work: otherwise most of the time of a rendering is theirs.
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
	"text/template"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/crypto/bcrypt"
	chart3 "helm.sh/helm/v3/pkg/chart"
	loader3 "helm.sh/helm/v3/pkg/chart/loader"
	util3 "helm.sh/helm/v3/pkg/chartutil"
	engine3 "helm.sh/helm/v3/pkg/engine"
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

// renderer renders one chart with one major version of Helm.
type renderer struct {
	schema *jsonschema.Schema
	helm   helm
}

// helm is a major version of Helm with a chart.
type helm interface {
	// merge returns the values of the templates, and those that the schema describes.
	merge(values map[string]any) (all any, own map[string]any, err error)
	// templates returns the texts of the templates by name.
	templates(all any) (map[string]string, error)
}

type helm4 struct {
	chart        *chart.Chart
	capabilities *common.Capabilities
}

type helm3 struct {
	chart        *chart3.Chart
	capabilities *util3.Capabilities
}

func main() {
	if err := run(os.Args[1:], os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "helm-render:", err)
		os.Exit(1)
	}
}

func run(args []string, in io.Reader, out io.Writer) error {
	open := newHelm4
	if len(args) > 0 && args[0] == "-3" {
		open, args = newHelm3, args[1:]
	}
	if len(args) != 1 {
		return errors.New("usage: helm-render [-3] CHART")
	}
	charts, err := newRenderer(args[0], open)
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

func newRenderer(folder string, open func(string) (helm, []byte, error)) (*renderer, error) {
	opened, text, err := open(folder)
	if err != nil {
		return nil, err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
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
	return &renderer{schema, opened}, nil
}

func newHelm4(folder string) (helm, []byte, error) {
	loaded, err := loader.Load(folder)
	if err != nil {
		return nil, nil, err
	}
	version, err := common.ParseKubeVersion(kubernetes)
	if err != nil {
		return nil, nil, err
	}
	capabilities := common.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	return helm4{loaded, capabilities}, loaded.Schema, nil
}

func newHelm3(folder string) (helm, []byte, error) {
	loaded, err := loader3.Load(folder)
	if err != nil {
		return nil, nil, err
	}
	version, err := util3.ParseKubeVersion(kubernetes)
	if err != nil {
		return nil, nil, err
	}
	capabilities := util3.DefaultCapabilities.Copy()
	capabilities.KubeVersion = *version
	return helm3{loaded, capabilities}, loaded.Schema, nil
}

func (h helm4) merge(values map[string]any) (any, map[string]any, error) {
	release := common.ReleaseOptions{Name: "x", Namespace: "db", Revision: 1, IsInstall: true}
	all, err := util.ToRenderValuesWithSchemaValidation(h.chart, values, release, h.capabilities, true)
	if err != nil {
		return nil, nil, err
	}
	own, err := all.Table("Values")
	return all, own.AsMap(), err
}

func (h helm4) templates(all any) (map[string]string, error) {
	renderer := engine.Engine{CustomTemplateFuncs: template.FuncMap{"htpasswd": htpasswd}}
	return renderer.Render(h.chart, all.(common.Values))
}

func htpasswd(user, password string) (string, error) {
	hash, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	return fmt.Sprintf("%s:%s", user, hash), err
}

func (h helm3) merge(values map[string]any) (any, map[string]any, error) {
	release := util3.ReleaseOptions{Name: "x", Namespace: "db", Revision: 1, IsInstall: true}
	all, err := util3.ToRenderValuesWithSchemaValidation(h.chart, values, release, h.capabilities, true)
	if err != nil {
		return nil, nil, err
	}
	own, err := all.Table("Values")
	return all, own.AsMap(), err
}

func (h helm3) templates(all any) (map[string]string, error) {
	return engine3.Render(h.chart, all.(util3.Values))
}

func (r *renderer) render(values map[string]any) result {
	text, err := r.text(values)
	if err != nil {
		return result{Error: err.Error()}
	}
	return result{Text: text}
}

func (r *renderer) text(values map[string]any) (string, error) {
	all, own, err := r.helm.merge(values)
	if err != nil {
		return "", err
	}
	if err := r.schema.Validate(own); err != nil {
		return "", fmt.Errorf("values don't meet the specifications of the schema: %w", err)
	}
	files, err := r.helm.templates(all)
	if err != nil {
		return "", err
	}
	var text strings.Builder
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&text, "---\n# Source: %s\n%s\n", name, files[name])
	}
	return text.String(), nil
}
