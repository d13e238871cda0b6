package admin

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the transcripts in testdata")

// A transcript is a file of blocks that blank lines separate. A block begins
// with comments and a request on one line (method, path, body); what follows
// is the answer. A comment "#: reveal" at the top configures the server.
func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("transcripts: %v, %v", files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var got string
			synctest.Test(t, func(t *testing.T) {
				s := newServer(t, func(c *Config) { c.Reveal = bytes.HasPrefix(text, []byte("#: reveal\n")) })
				got = replay(s, string(text))
			})
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if diff := cmp.Diff(string(text), got); diff != "" {
				t.Errorf("the API answers otherwise (-want +got; -update rewrites the file):\n%s", diff)
			}
		})
	}
}

// replay makes the requests of a transcript and returns it with the answers.
func replay(s *Server, text string) string {
	var out []string
	for block := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		lines := strings.Split(block, "\n")
		at := slices.IndexFunc(lines, func(line string) bool { return !strings.HasPrefix(line, "#") })
		if at < 0 {
			out = append(out, block)
			continue
		}
		out = append(out, strings.Join(lines[:at+1], "\n")+"\n"+request(s, lines[at]))
	}
	return strings.Join(out, "\n\n") + "\n"
}

// request makes the request of a line and returns the answer as text.
func request(s *Server, line string) string {
	words := append(strings.SplitN(line, " ", 3), "")
	r := httptest.NewRequest(words[0], words[1], strings.NewReader(words[2]))
	r.Host = "localhost:8080"
	if words[2] != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := ask(s, r)
	head := fmt.Sprintf("%d %s", w.Code, w.Header().Get("Content-Type"))
	if allow := w.Header().Get("Allow"); allow != "" {
		head += ", Allow: " + allow
	}
	var indented bytes.Buffer
	body := strings.TrimSpace(w.Body.String())
	if json.Indent(&indented, []byte(body), "", "  ") == nil {
		body = indented.String()
	}
	return strings.TrimSpace(head + "\n" + body)
}
