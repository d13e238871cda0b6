package admin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/firedrill/firedrill/simulator/schema"
)

func typeOf[T any]() reflect.Type { return reflect.TypeFor[T]() }

// body is the body of a request as it came, empty where it had none. The types
// that embed it document it from the table of specs that reads it.
type body struct{ raw []byte }

func (b *body) keep(data []byte) { b.raw = bytes.Clone(data) }

// unmarshal keeps the body of a request for its operation to read, so that
// every refusal is worded by this package. v points to a type that embeds body,
// or, where the body is optional, to a pointer to one.
func unmarshal(data []byte, v any) error {
	if at := reflect.ValueOf(v).Elem(); at.Kind() == reflect.Pointer {
		at.Set(reflect.New(at.Type().Elem()))
		v = at.Interface()
	}
	v.(interface{ keep([]byte) }).keep(data)
	return nil
}

type emptyInput struct{ Body *emptyBody }

// emptyBody is the body of a request that has nothing to say.
type emptyBody struct{ body }

// Schema documents the body.
func (*emptyBody) Schema(huma.Registry) *huma.Schema { return schemaOf(nil) }

// check refuses a body with fields.
func (in *emptyInput) check() error {
	if in.Body == nil {
		return nil
	}
	_, err := in.Body.read(nil)
	return err
}

// object reads the body as a JSON object, of which the member called nested,
// where there is one, is an object itself and everything else a single value.
// An empty body is an empty object.
func (b *body) object(nested string) (fields, inner schema.Args, err error) {
	members, err := parseObject(b.raw)
	if err != nil {
		return nil, nil, err
	}
	if object, ok := members[nested].(map[string]any); ok {
		inner = scalars(object)
		delete(members, nested)
	}
	return scalars(members), inner, nil
}

// read reads the body by a table of specs, with everything that is wrong.
func (b *body) read(specs schema.Specs) (schema.Values, error) {
	fields, _, err := b.object("")
	if err != nil {
		return schema.Values{}, err
	}
	values, problems := specs.Parse(field, fields)
	return values, problems.Err()
}

// field is what a name in a body is.
const field = "field of this request"

func parseObject(raw []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(raw)) == 0 {
		return map[string]any{}, nil
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var value any
	err := decoder.Decode(&value)
	if _, end := decoder.Token(); err == nil && !errors.Is(end, io.EOF) {
		err = errors.New("something follows the first value")
	}
	fields, ok := value.(map[string]any)
	switch {
	case err != nil:
		return nil, problem(malformed, "the body is no JSON: "+strings.TrimPrefix(err.Error(), "json: "))
	case !ok:
		return nil, problem(malformed, "the body is no JSON object")
	}
	return fields, nil
}

// scalars turns JSON values into raw arguments.
func scalars(members map[string]any) schema.Args {
	args := schema.Args{}
	for name, value := range members {
		args[name] = scalar(value)
	}
	return args
}

// composite is the JSON text of what is no single value. No spec accepts it.
type composite string

// scalar turns a JSON value into a raw argument. Whole numbers become ints, so
// that a log of commands writes them as they came.
func scalar(value any) any {
	switch v := value.(type) {
	case bool, string:
		return v
	case json.Number:
		if n, err := strconv.Atoi(v.String()); err == nil {
			return n
		}
		if x, err := v.Float64(); err == nil {
			return x
		}
	}
	text, err := json.Marshal(value)
	if err != nil {
		return composite(fmt.Sprint(value))
	}
	return composite(text)
}

// schemaOf documents an object that a table of specs reads.
func schemaOf(specs schema.Specs) *huma.Schema {
	object := &huma.Schema{Type: huma.TypeObject, AdditionalProperties: false, Properties: map[string]*huma.Schema{}}
	for _, spec := range specs {
		object.Properties[spec.Name] = schemaOfSpec(spec)
		if spec.Required {
			object.Required = append(object.Required, spec.Name)
		}
	}
	return object
}

// schemaOfSpec documents one value.
func schemaOfSpec(spec schema.Spec) *huma.Schema {
	out := &huma.Schema{Description: spec.Help}
	switch spec.Kind {
	case schema.Bool:
		out.Type = huma.TypeBoolean
	case schema.Integer:
		out.Type = huma.TypeInteger
	case schema.Number, schema.Ratio:
		out.Type = huma.TypeNumber
	default:
		out.Type = huma.TypeString
	}
	if out.Type == huma.TypeInteger || out.Type == huma.TypeNumber {
		out.Minimum, out.Maximum = finite(spec.Min), finite(spec.Max)
	}
	for _, option := range spec.Options {
		out.Enum = append(out.Enum, option)
	}
	if spec.Unit != "" {
		out.Description += " (" + spec.Unit + ")"
	}
	return out
}

// finite returns a pointer to x, nil where x is no finite number.
func finite(x float64) *float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return nil
	}
	return &x
}
