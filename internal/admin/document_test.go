package admin

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestDocumentIsCommitted(t *testing.T) {
	want, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../docs/openapi.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/openapi.json is not what the types say; run: firedrill generate openapi")
	}
}

// Every reference of the document leads somewhere, every operation says what
// it is for, and nothing is documented that no answer has.
func TestDocumentHoldsTogether(t *testing.T) {
	text, err := Document()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		OpenAPI    string
		Paths      map[string]map[string]struct{ OperationID, Summary string }
		Components struct{ Schemas map[string]any }
	}
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	if document.OpenAPI != "3.1.0" {
		t.Errorf("the document is OpenAPI %s", document.OpenAPI)
	}
	for path, operations := range document.Paths {
		for method, operation := range operations {
			if operation.OperationID == "" || operation.Summary == "" {
				t.Errorf("%s %s does not say what it is", method, path)
			}
		}
	}
	for name := range document.Components.Schemas {
		if !strings.Contains(string(text), `"#/components/schemas/`+name+`"`) {
			t.Errorf("nothing refers to the schema %s", name)
		}
	}
	for part := range strings.SplitSeq(string(text), `"$ref": "#/components/schemas/`) {
		name, _, _ := strings.Cut(part, `"`)
		if _, ok := document.Components.Schemas[name]; !ok && name != "{" && !strings.HasPrefix(part, "{\n") {
			t.Errorf("a reference leads to %q, which is not there", name)
		}
	}
}

func TestDocumentIsServed(t *testing.T) {
	s := newServer(t, nil)
	for path, want := range map[string]string{"/openapi.json": `"openapi":"3.1.0"`, "/openapi.yaml": "openapi: 3.1.0"} {
		w := ask(s, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s answers %d %.200s", path, w.Code, w.Body)
		}
	}
}

// Whoever looks at the address that firedrill up prints sees what there is.
func TestIndexIsServed(t *testing.T) {
	s := newServer(t, nil)
	for _, path := range []string{"/", Base, Base + "/"} {
		w := ask(s, httptest.NewRequest("GET", "http://localhost"+path, nil))
		if w.Code != 200 || !strings.Contains(w.Body.String(), "/openapi.json") || !strings.Contains(w.Body.String(), Base+"/services") {
			t.Errorf("%s answers %d %.200s", path, w.Code, w.Body)
		}
		if w.Header().Get("X-Content-Type-Options") != "nosniff" || w.Header().Get("Content-Type") != "text/plain; charset=utf-8" {
			t.Errorf("%s has the headers %v", path, w.Header())
		}
	}
	if w := ask(s, httptest.NewRequest("POST", "http://localhost"+Base, nil)); w.Code != 405 {
		t.Errorf("POST %s answers %d", Base, w.Code)
	}
}
